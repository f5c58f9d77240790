// The capabilities of the template: reading sources, searching them for what is missing, building the table, and checking its citations.
import { basename } from 'node:path/posix';
import { type CallContext, defineCapability } from 'reconverge';
import { quantitiesIn, readSource, type Source, visible } from './facts.mts';

const MOST_BYTES = 8_000_000;
const textOf = async (ctx: CallContext, path: string): Promise<string> =>
  (await ctx.files.read(path, MOST_BYTES)).toString('utf8');

const IDLE = new Set('the a an of and or max maximum min total typical approx about to with per net gross'.split(' '));

/** The words of a name that carry its meaning: "Max. range (eco)" is "range". */
const keyOf = (name: string): string => {
  const words =
    name
      .toLowerCase()
      .replace(/\([^)]*\)/g, ' ')
      .match(/[\p{L}\d]+/gu) ?? [];
  return words
    .filter((word) => !IDLE.has(word))
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
    .join(' ');
};

export const read = defineCapability({
  name: 'sources.read',
  description:
    'Read the subject of a document and the facts that it states as a name with a value, each with its line.',
  input: '{path :string}',
  output:
    '{path :string, subject :string, lines :int, facts [{name :string, key :string, value :string, unit :string, line :int, quote :string}]}',
  effects: ['read'],
  async run({ path }, ctx) {
    const { subject, facts, lines } = readSource(await textOf(ctx, path), path);
    return {
      path,
      subject,
      lines: lines.length,
      facts: facts.map(({ name, value, line, quote }) => ({
        name,
        key: keyOf(name),
        value,
        unit: quantitiesIn(value)[0]?.unit ?? '',
        line,
        quote,
      })),
    };
  },
});

interface Wanted {
  readonly criterion: string;
  readonly words: readonly string[];
  readonly unit: string;
}

type Cell = {
  readonly criterion: string;
  readonly value: string;
  readonly line: number;
  readonly quote: string;
};

/** Sentences about something else than the subject. */
const ELSEWHERE =
  /\b(unlike|older|predecessor|previous|earlier model|competitor|rival|instead of|compared (to|with)|than the)\b/i;

interface Sentence {
  readonly text: string;
  /** The parts of the sentence with the line on which each stands. */
  readonly parts: readonly { readonly line: number; readonly text: string }[];
}

/** The sentences of all paragraphs; a sentence may run over several lines. */
function sentencesOf(lines: readonly string[]): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let parts: { line: number; text: string }[] = [];
  const end = (): void => {
    if (parts.length > 0) sentences.push({ text: parts.map(({ text }) => text).join(' '), parts });
    parts = [];
  };
  const collect = (line: string, number: number): void => {
    for (const text of line.split(/(?<=[.!?;])\s+/)) {
      parts.push({ line: number, text });
      if (/[.!?;]$/.test(text)) end();
    }
  };
  lines.forEach((line, at) => {
    if (line === '') end();
    else collect(line, at + 1);
  });
  end();
  return sentences;
}

function searchIn({ lines }: Source, { criterion, words, unit }: Wanted): Cell | undefined {
  if (unit === '') return undefined;
  const stems = words
    .flatMap((word) => keyOf(word).split(' '))
    .filter((word) => word.length > 2)
    .map((word) => word.slice(0, Math.max(4, word.length - 2)));
  const found = sentencesOf(lines).flatMap(({ text, parts }) => {
    const hits = stems.filter((stem) => text.toLowerCase().includes(stem)).length;
    if (hits === 0 || ELSEWHERE.test(text)) return [];
    const [place] = parts.flatMap((part) => {
      const value = valueIn(part.text, unit);
      return value === undefined ? [] : [{ value, line: part.line }];
    });
    return place === undefined ? [] : [{ ...place, hits }];
  });
  const [best] = found.toSorted((one, other) => other.hits - one.hits);
  return best && { criterion, value: best.value, line: best.line, quote: (lines[best.line - 1] ?? '').slice(0, 240) };
}

/** The first quantity of the unit, or a span such as 70–95 km, in the words of the source. */
function valueIn(text: string, unit: string): string | undefined {
  const parts =
    text.match(/(?:[€$]\s?)?\d[\d.,]*(?:[ \u00a0]\d{3})*(?:\s?[–-]\s?\d[\d.,]*)?\s?(?:[\p{L}%€$]+)?/gu) ?? [];
  const found = parts.find((part) => quantitiesIn(part).some((each) => each.unit === unit));
  return found?.trim().replace(/[.,]$/, '');
}

export const search = defineCapability({
  name: 'sources.search',
  description: 'Search the sentences of a document for criteria that it does not state as a name with a value.',
  input: '{path :string, wanted :list}',
  output: '{path :string, searched [:string], cells [{criterion :string, value :string, line :int, quote :string}]}',
  effects: ['read'],
  async run({ path, wanted }, ctx) {
    const source = readSource(await textOf(ctx, path), path);
    const asked = wanted as unknown as readonly Wanted[];
    return {
      path,
      searched: asked.map(({ criterion }) => criterion),
      cells: asked.flatMap((each) => searchIn(source, each) ?? []),
    };
  },
});

export const check = defineCapability({
  name: 'table.check',
  description: 'Read every cited line again, and list the cells whose value does not stand there.',
  input: '{rows :list}',
  output: '{cells :int, cited :int, wrong [{subject :string, criterion :string, reason :string}]}',
  effects: ['read'],
  async run({ rows }, ctx) {
    const wrong: { subject: string; criterion: string; reason: string }[] = [];
    let cells = 0;
    let cited = 0;
    for (const row of rows as unknown as readonly {
      readonly subject: string;
      readonly path: string;
      readonly cells: readonly { readonly criterion: string; readonly values: readonly Omit<Cell, 'criterion'>[] }[];
    }[]) {
      const lines = visible(await textOf(ctx, row.path), row.path);
      for (const { criterion, values } of row.cells) {
        cells += 1;
        for (const { value, line, quote } of values) {
          const told = lines[line - 1] ?? '';
          if (told.includes(value) && told.startsWith(quote.slice(0, 60))) cited += 1;
          else
            wrong.push({
              subject: row.subject,
              criterion,
              reason: `"${value}" does not stand in ${basename(row.path)}:${line}`,
            });
        }
      }
    }
    return { cells, cited, wrong };
  },
});

export const compare = defineCapability({
  name: 'table.compare',
  description: 'Tell which of the values of one document for one criterion contradict each other, in base units.',
  input: '{rows :list}',
  output: '{conflicts [{subject :string, criterion :string, values [:string]}]}',
  effects: ['pure'],
  run({ rows }) {
    const known = rows as unknown as readonly {
      readonly subject: string;
      readonly cells: readonly { readonly criterion: string; readonly values: readonly { readonly value: string }[] }[];
    }[];
    const meaning = (value: string): string => {
      const [first] = quantitiesIn(value);
      return first === undefined ? value.toLowerCase() : `${first.number} ${first.unit}`;
    };
    const conflicts = known.flatMap(({ subject, cells }) =>
      cells.flatMap(({ criterion, values }) =>
        new Set(values.map(({ value }) => meaning(value))).size > 1
          ? [{ subject, criterion, values: values.map(({ value }) => value) }]
          : [],
      ),
    );
    return { conflicts };
  },
});
