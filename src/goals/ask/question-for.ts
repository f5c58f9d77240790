// Words the question for a property: "How many items per page? (for example 10, 25, 50)".
import { isJsonArray, type Json } from '../../base/json.ts';
import { plain } from '../../contract/describe-contract.ts';
import { numberAt, type Schema, typesOf, valuesOf } from '../../contract/schema.ts';
import { capitalized, isPlural, pluralOf, wordsOfName } from '../match/terms.ts';
import { choicesOf } from './read-answer.ts';

/** Uses title, description, listed values, examples, default and range, or else the words of the name. */
export function questionFor(name: string, schema: Schema): string {
  const asked = ownQuestion(schema) ?? `${wordedFor(subjectOf(name, schema), schema)}?`;
  const told = ownQuestion(schema) === undefined ? explanation(schema) : '';
  const hints = hintsOf(name, schema);
  return [asked, told, hints.length === 0 ? '' : `(${hints.join('; ')})`].filter((part) => part !== '').join(' ');
}

/** A title or description that is a question already. */
function ownQuestion({ title, description }: Schema): string | undefined {
  return [title, description]
    .find((text): text is string => typeof text === 'string' && /\?$/.test(text.trim()))
    ?.trim();
}

function subjectOf(name: string, { title }: Schema): readonly string[] {
  return wordsOfName(typeof title === 'string' ? title : name);
}

const COUNTED = /^(max|maximum|limit|total)$/;

function wordedFor(words: readonly string[], schema: Schema): string {
  const kind = typesOf(schema).find((type) => type !== 'null');
  const subject = words.join(' ');
  if (kind === 'integer' || kind === 'number') return howMany(words) ?? `What is the ${subject}`;
  if (valuesOf(schema) !== undefined) return `Which ${subject}`;
  if (kind === 'boolean') return `${capitalized(subject)}, yes or no`;
  if (kind === 'array') return `Which ${subject}`;
  if (/^(date|date-time)$/.test(String(schema.format)) && !/\bdate$/.test(subject)) {
    return /^(since|until|before|after|from|to)$/.test(subject)
      ? `${capitalized(subject)} when`
      : `Which date: ${subject}`;
  }
  return isPlural(words.at(-1) ?? '') ? `What are the ${subject}` : `What is the ${subject}`;
}

/** The question for a count such as `per_page`, `max_results`, `retry_count` or `number_of_rows`. */
function howMany(words: readonly string[]): string | undefined {
  const [first = '', ...rest] = words;
  const last = words.at(-1) ?? '';
  if (first === 'per' && rest.length > 0) return `How many items per ${rest.join(' ')}`;
  const at = words.indexOf('per');
  if (at > 0) return `How many ${words.join(' ')}`;
  if (/^(num|number|count)$/.test(first) && rest[0] === 'of') return `How many ${rest.slice(1).join(' ')}`;
  if (first === 'num' || COUNTED.test(first))
    return rest.length === 0 ? 'How many at most' : `How many ${rest.join(' ')}${first === 'num' ? '' : ' at most'}`;
  if (last === 'limit') return `How many ${words.slice(0, -1).join(' ')} at most`;
  if (last === 'count') {
    const counted = words.slice(0, -1).join(' ');
    return `How many ${isPlural(words.at(-2) ?? '') ? counted : pluralOf(counted)}`;
  }
  return last === 'size' && words[0] === 'page' ? 'How many items per page' : undefined;
}

const LONGEST = 160;

function explanation({ description }: Schema): string {
  if (typeof description !== 'string') return '';
  const [sentence = ''] = description.trim().split(/(?<=[.!])\s/);
  const ended = /[.!]$/.test(sentence) ? sentence : `${sentence}.`;
  return sentence === '' || sentence.length > LONGEST ? '' : ended;
}

const EXAMPLES = 3;

function hintsOf(name: string, schema: Schema): readonly string[] {
  const listed = valuesOf(schema);
  const examples = isJsonArray(schema.examples) ? schema.examples.slice(0, EXAMPLES) : usualFor(name, schema);
  const fallback = schema.default;
  return [
    ...(listed === undefined ? [] : [choicesOf(listed)]),
    ...(listed === undefined && examples.length > 0 ? [`for example ${examples.map(shown).join(', ')}`] : []),
    ...(listed === undefined && examples.length < EXAMPLES ? rangeOf(schema) : []),
    ...(typesOf(schema).includes('array') ? ['several with commas between'] : []),
    ...(fallback === undefined || fallback === null ? [] : [`default: ${shown(fallback)}`]),
  ];
}

function shown(value: Json): string {
  return isJsonArray(value) ? value.map(plain).join(', ') : plain(value);
}

/** Usual examples for counts and dates without examples of their own. */
function usualFor(name: string, schema: Schema): readonly Json[] {
  const counts =
    typesOf(schema).some((type) => type === 'integer' || type === 'number') && howMany(subjectOf(name, schema));
  const [least, most] = [numberAt(schema, 'minimum') ?? 1, numberAt(schema, 'maximum') ?? Number.POSITIVE_INFINITY];
  if (counts) return [10, 25, 50].filter((each) => each >= least && each <= most);
  if (schema.format === 'date') return ['2026-01-31'];
  return schema.format === 'date-time' ? ['2026-01-31T09:00:00Z'] : [];
}

function rangeOf(schema: Schema): readonly string[] {
  const [least, most] = [numberAt(schema, 'minimum'), numberAt(schema, 'maximum')];
  if (least !== undefined && most !== undefined) return [`from ${least} to ${most}`];
  if (least !== undefined) return [`${least} or more`];
  return most === undefined ? [] : [`${most} at most`];
}
