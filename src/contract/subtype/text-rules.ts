// Rules for the pattern and the format of text.
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

/** Formats for numbers; the others are for text. */
const ofNumbers = ['int32', 'int64', 'float', 'double'];
/** Formats that every value of their kind fits. */
const asksNothing = ['float', 'double', 'password', 'binary'];

export const formatRule: Rule = ({ producer, consumer, path }) => {
  const { format } = consumer;
  if (typeof format !== 'string' || producer.kind !== (ofNumbers.includes(format) ? 'number' : 'string')) return [];
  if (asksNothing.includes(format) || (format === 'int64' && isWhole(producer))) return [];
  if (producer.parts.some((part) => part.format === format)) return [];
  if (producer.values?.every((value) => contractOf({ format }).check(value).ok)) return [];
  return [{ path, message: `may not be written as ${format}` }];
};
