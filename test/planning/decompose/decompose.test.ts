// Text goals taken apart by their words alone.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { questionOf } from '../../../src/planning/decompose/asking.ts';
import { decompose } from '../../../src/planning/decompose/decompose.ts';
import type { Task } from '../../../src/planning/decompose/task.ts';
import { clear, goals, unclear } from './goals.ts';

function lineOf({ kind, description, after, attachments }: Task): string {
  const waits = after.length === 0 ? [] : ['<-', ...after.map((each) => String(each + 1))];
  return [`${kind}:`, description, ...waits, ...attachments.map((each) => `@${each.kind}:${each.ref}`)].join(' ');
}

describe('a goal comes apart into tasks', () => {
  test.each(goals.map(([goal, ...tasks]) => ({ goal, tasks })))('$goal', ({ goal, tasks }) => {
    expect(decompose(goal).tasks.map(lineOf)).toEqual(tasks);
  });
});

describe('a goal that words alone do not take apart is left to others', () => {
  test.each(unclear.map(([goal, ...signals]) => ({ goal, signals })))('$goal', ({ goal, signals }) => {
    const found = decompose(goal);
    expect(found).toMatchObject({ tasks: [], confidence: 0 });
    expect(found.signals.map(({ kind, words }) => `${kind}: ${words}`)).toEqual(signals);
    expect(found.abstained).toContain(found.signals[0]?.words);
  });

  test.each(clear)('words that only look like signals: %s', (goal) => {
    expect(decompose(goal).signals).toEqual([]);
  });

  test.each(['', '   \n\t', '...', '?!', '-\n-\n'])('nothing to do: %j', (goal) => {
    expect(decompose(goal)).toEqual({
      tasks: [],
      confidence: 0,
      signals: [],
      notes: [],
      abstained: 'the goal orders nothing',
    });
  });
});

describe('it is less sure', () => {
  test.each([
    ['fetch the orders, then sort them', 0.9],
    ['Sort the orders. There are many of them.', 0.8],
    ['- the login form\n- the logout button', 0.8],
    ['Mach einen Bericht über die Daten', 0.5],
    ['fetch the orders if there are any', 0],
  ])('%s', (goal, confidence) => {
    expect(decompose(goal).confidence).toBe(confidence);
  });
});

describe('the parameters of a task', () => {
  test.each<[string, Task['parameters']]>([
    ['list issues, state: open, per_page=20', { named: { state: 'open', per_page: 20 }, numbers: [20] }],
    ['search for "red shoes" and \'blue socks\'', { quoted: ['red shoes', 'blue socks'] }],
    ['show the first 10 rows of data/a.csv', { paths: ['data/a.csv'], numbers: [10] }],
    ['list the files in .', { paths: ['.'] }],
    ['list what lies under ../, please', { paths: ['../'] }],
    ['say what it is good for .', {}],
    ['run `make all`', { code: ['make all'] }],
    ['fetch https://example.com/a?b=1.', { links: ['https://example.com/a?b=1'] }],
    ['write the total to out/total.txt', { outputs: ['out/total.txt'] }],
    ['call it with title: "a: b", draft: true', { named: { title: 'a: b', draft: true }, quoted: ['a: b'] }],
    ['note: fetch the data', {}],
    ['describe it', {}],
  ])('%s', (goal, parameters) => {
    expect(decompose(goal).tasks[0]?.parameters).toEqual(parameters);
  });

  test('name capabilities outright', () => {
    const capabilities = ['csv.sniff', 'fetch_price', 'search', 'report.write'];
    const names = (goal: string) => decompose(goal, { capabilities }).tasks.map((each) => each.names);
    expect(names('Use csv.sniff on a.csv, then explain it with `search`')).toEqual([['csv.sniff'], ['search']]);
    expect(names('Explain fetch_price. Use search.')).toEqual([['fetch_price'], ['search']]);
    expect(names('Explain the search results')).toEqual([[]]);
  });
});

describe('kinds', () => {
  const kinds = {
    unit_test: { agent: 'tester' },
    retrieval: { capability: 'web.search' },
    billing: { agent: 'clerk', matches: ['invoice', 'bill to'] },
  };

  test.each([
    ['write unit tests', 'unit_test'],
    ['look up the weather', 'retrieval'],
    ['draft the invoices', 'billing'],
    ['describe the bill to the king', 'billing'],
    ['billings', 'processing'],
    ['ask me which unit tests to write', 'clarification'],
  ])('%s is %s', (goal, kind) => {
    expect(decompose(goal, { kinds }).tasks.map((each) => each.kind)).toEqual([kind]);
  });

  test('words of settings are words, whatever they are made of', () => {
    expect(decompose('solve (a+b)* fast', { kinds: { regex: { matches: ['(a+b)*', ''] } } }).tasks[0]?.kind).toBe(
      'regex',
    );
  });
});

describe('what came with the goal', () => {
  const spec = { kind: 'link', ref: 'https://example.com/v2/spec.pdf', label: 'API spec' } as const;
  const photo = { kind: 'image', ref: 'shots/login.png' } as const;
  const given = (goal: string) =>
    decompose(goal, { attachments: [spec, photo] }).tasks.map(({ attachments }) => attachments.map(({ ref }) => ref));

  test('goes to the tasks that speak of it', () => {
    expect(given('Read the API spec, then copy login.png')).toEqual([[spec.ref], [photo.ref]]);
  });

  test('goes to all tasks that do work where none speaks of it', () => {
    expect(given('Ask me for the year, then draft it')).toEqual([[], [spec.ref, photo.ref]]);
  });
});

test.each([
  ['ask me for the page size', 'What is the page size?'],
  ['ask the user for page size', 'What is the page size?'],
  ['ask me which repository to use', 'Which repository to use?'],
  ['Ask me whether to keep it', 'Yes or no: to keep it?'],
  ['ask me first', 'May the work go on?'],
  ['Which currency should be used?', 'Which currency should be used?'],
  ['let me choose the colour', 'What is the colour?'],
])('%s asks %s', (description, question) => {
  expect(questionOf(description)).toBe(question);
});

describe('any text', () => {
  test('is taken apart the same way twice, waiting for earlier tasks only', () => {
    const words = [
      'fetch',
      'then',
      'and',
      '\n- ',
      '\n1. ',
      '"',
      '`',
      '.',
      ', ',
      'ask me',
      'but',
      'it',
      'über',
      '\uE000',
      '👩‍🔬',
      'a.csv',
      '(',
    ];
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words)).map((each) => each.join(' ')),
    );
    fc.assert(
      fc.property(text, (goal) => {
        const found = decompose(goal);
        expect(decompose(goal)).toEqual(found);
        expect(found.tasks.length === 0).toBe(found.confidence === 0);
        found.tasks.forEach(({ after, description }, index) => {
          expect(after.every((each) => each >= 0 && each < index)).toBe(true);
          expect(description).not.toMatch(/[\uE000\uE001]/);
        });
      }),
    );
  });

  test('of ten thousand characters is read as any other', () => {
    const items = Array.from({ length: 400 }, (_, index) => `${index + 1}. fetch file ${index + 1}`);
    expect(decompose(items.join('\n')).tasks).toHaveLength(400);
    for (const part of [
      'fetch a, ',
      '“',
      '"',
      '(',
      ')',
      '[a](',
      '```\n',
      '- ',
      'and ',
      'a.b/',
      '\uE0001\uE001',
      "'a ",
      'please ',
      'x=1 ',
      'https://a)',
    ]) {
      const goal = part.repeat(10_000 / part.length);
      expect(decompose(goal)).toEqual(decompose(goal));
    }
  });
});
