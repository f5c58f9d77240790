// Rules for the pattern and the format of a text.
import { RE2JS } from 're2js';
import { contractOf } from '../contract.ts';
import { isWhole } from './alternative.ts';
import type { Rule } from './rule.ts';

export const patternRule: Rule = ({ producer, consumer, path }) => {
  const { pattern } = consumer;
  if (typeof pattern !== 'string' || producer.kind !== 'string') return [];
  if (producer.parts.some((part) => part.pattern === pattern)) return [];
  const compiled = RE2JS.compile(pattern);
  if (producer.values?.every((value) => typeof value === 'string' && compiled.matcher(value).find())) return [];
  return [{ path, message: `may not match the pattern ${pattern}` }];
};

/** Formats of numbers say nothing of texts, and the others nothing of numbers. */
const ofNumbers = ['int32', 'int64', 'float', 'double'];
/** Every value of their kind is written so. */
const asksNothing = ['float', 'double', 'password', 'binary'];

export const formatRule: Rule = ({ producer, consumer, path }) => {
  const { format } = consumer;
  if (typeof format !== 'string' || producer.kind !== (ofNumbers.includes(format) ? 'number' : 'string')) return [];
  if (asksNothing.includes(format) || (format === 'int64' && isWhole(producer))) return [];
  if (producer.parts.some((part) => part.format === format)) return [];
  if (producer.values?.every((value) => contractOf({ format }).check(value).ok)) return [];
  return [{ path, message: `may not be written as ${format}` }];
};
