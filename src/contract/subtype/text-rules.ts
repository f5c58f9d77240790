// Rules for the pattern and the format of a text.
import { RE2JS } from 're2js';
import type { Rule } from './rule.ts';

export const patternRule: Rule = ({ producer, consumer, path }) => {
  const { pattern } = consumer;
  if (typeof pattern !== 'string' || producer.kind !== 'string') return [];
  if (producer.parts.some((part) => part.pattern === pattern)) return [];
  const compiled = RE2JS.compile(pattern);
  if (producer.values?.every((value) => typeof value === 'string' && compiled.matcher(value).find())) return [];
  return [{ path, message: `may not match the pattern ${pattern}` }];
};

export const formatRule: Rule = ({ producer, consumer, path }) => {
  const { format } = consumer;
  if (format === undefined || (producer.kind !== 'string' && producer.kind !== 'number')) return [];
  if (producer.parts.some((part) => part.format === format)) return [];
  return [{ path, message: `may not be written as ${format}` }];
};
