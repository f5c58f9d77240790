// Text goals taken apart by their words alone.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DescribedCapability } from '../../../src/goals/match/tool.ts';
import { decompose } from '../../../src/goals/split/decompose.ts';
import { questionOf } from '../../../src/goals/split/person-question.ts';
import type { Task } from '../../../src/goals/split/task.ts';
import { clear, goals, unclear } from './goals.ts';

function lineOf({ kind, description, after, attachments }: Task): string {
  const waits = after.length === 0 ? [] : ['<-', ...after.map((each) => String(each + 1))];
  return [`${kind}:`, description, ...waits, ...attachments.map((each) => `@${each.kind}:${each.ref}`)].join(' ');
}

describe('a goal is decomposed into tasks', () => {
  test.each(goals.map(([goal, ...tasks]) => ({ goal, tasks })))('$goal', ({ goal, tasks }) => {
    expect(decompose(goal).tasks.map(lineOf)).toEqual(tasks);
  });
});

describe('the decomposition abstains', () => {
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

function tool(name: string, description: string): DescribedCapability {
  return { name, description, effects: ['read'] };
}

const granted: readonly DescribedCapability[] = [
  tool('list_files', 'List the files of a folder'),
  tool('read_file', 'Read a file'),
  tool('list_issues', 'List issues'),
  tool('csv.profile', 'Profiles a CSV file.'),
];

describe('the confidence follows from known words', () => {
  test.each([
    ['fetch the orders, then sort them', 0.9],
    ['Sort the orders. There are many of them.', 0.8],
    ['Query performance is bad. Fetch the orders.', 0.8],
    ['- the login form\n- the logout button', 0.5],
    ['do something weird', 0.5],
    ['plan a trip to Paris', 0.5],
    ['Fetch the orders, then do something weird', 0.5],
    ['Mach einen Bericht über die Daten', 0.5],
    ['öffne ein Ticket', 0.5],
    ['Liste die Tickets auf', 0.5],
    ['Öffnest du ein Ticket?', 0.5],
    ['supprime le ticket 5', 0.5],
    ['列出所有问题', 0.5],
    ['Update die Datei und das Archiv', 0.5],
    ['find alle åbne sager', 0.5],
    ['list the offices in Los Angeles', 0.9],
    ['find "le ticket"', 0.9],
    ['fetch the orders if there are any', 0],
    ["don't take a screenshot", 0],
  ])('%s', (goal, confidence) => {
    expect(decompose(goal).confidence).toBe(confidence);
  });

  test('a verb of a granted capability is known', () => {
    expect(decompose('profile the data').confidence).toBe(0.5);
    expect(decompose('profile the data', { capabilities: granted }).confidence).toBe(0.9);
  });

  test('a capability proves that an order begins behind "and"', () => {
    const goal = 'Read a.md and list open issues';
    expect(decompose(goal).abstained).toContain('"and list"');
    expect(decompose(goal, { capabilities: granted }).tasks.map(lineOf)).toEqual([
      'processing: Read a.md @file:a.md',
      'processing: list open issues <- 1',
    ]);
  });
});

describe('an order that goes through a list', () => {
  const items = (goal: string) =>
    decompose(goal, { capabilities: granted }).tasks.map(({ description, item }) => item ?? description);

  test.each([
    ['List the orders, then get each order', 'List the orders', 'get the order'],
    ['list the open issues and close each of them', 'list the open issues', 'close the issue'],
    ['List the open issues. Read each of the open issues twice', 'List the open issues', 'Read the open issue twice'],
    ['List the files in ./data, then profile each CSV file', 'List the files in ./data', 'profile the CSV file'],
    ['List the categories; for each category, get its name', 'List the categories', 'get the name of the category'],
    ['List the orders, then get each one by id', 'List the orders', 'get the order by id'],
    ['for each file in the folder read it', 'list the files in the folder', 'read the file'],
    [
      'List the files in ./a; for each file in ./b, read it',
      'List the files in ./a',
      'list the files in ./b',
      'read the file',
    ],
  ])('%s', (goal, ...orders) => {
    expect(items(goal)).toEqual(orders);
  });

  test.each([
    'get each order',
    'List the orders, then get each customer',
    'For each customer in the folder, read it',
    'List the customers in ./a; for each customer in ./b, read it',
  ])('abstains when no order lists the items: %s', (goal) => {
    expect(decompose(goal, { capabilities: granted }).signals).toMatchObject([{ kind: 'repetition' }]);
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
    const names = (goal: string) =>
      decompose(goal, { capabilities: capabilities.map((name) => tool(name, '')) }).tasks.map((each) => each.names);
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

  test('words in the settings match literally, special characters included', () => {
    expect(decompose('solve (a+b)* fast', { kinds: { regex: { matches: ['(a+b)*', ''] } } }).tasks[0]?.kind).toBe(
      'regex',
    );
  });
});

describe('an attachment of the goal', () => {
  const spec = { kind: 'link', ref: 'https://example.com/v2/spec.pdf', label: 'API spec' } as const;
  const photo = { kind: 'image', ref: 'shots/login.png' } as const;
  const given = (goal: string) =>
    decompose(goal, { attachments: [spec, photo] }).tasks.map(({ attachments }) => attachments.map(({ ref }) => ref));

  test('goes to the tasks that mention it', () => {
    expect(given('Read the API spec, then copy login.png')).toEqual([[spec.ref], [photo.ref]]);
  });

  test('goes to all working tasks when none mentions it', () => {
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
  test('gives the same tasks twice, with dependencies on earlier tasks only', () => {
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

  test('is decomposed in bounded time at ten thousand characters', () => {
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
