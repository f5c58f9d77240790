// Plans that are written as calls in Python.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { readFragment } from '../../../src/planning/read-fragment.ts';
import { declaration } from '../given-frame.ts';

const flight = { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } };
const declarations = {
  'flights.find': declaration('flights.find', { input: flight, effects: ['read'] }),
  airport: declaration('airport', { effects: ['read'] }),
  book: declaration('book', { effects: ['write'] }),
  text_to_speech: declaration('text_to_speech', { effects: ['read'] }),
};

function read(plan: Json) {
  const fragment = readFragment(plan, declarations);
  if (!fragment.ok) throw new Error(fragment.error.issues.map(({ message }) => message).join('\n'));
  if (!('steps' in fragment.value)) throw new Error('no plan');
  return fragment.value;
}

function steps(plan: Json): readonly Json[] {
  const { raw } = read(plan);
  return Array.isArray(raw.steps) ? raw.steps : [];
}

/** The input of the last step. */
function input(plan: string): Json {
  const last = steps(plan).at(-1);
  return last !== null && typeof last === 'object' && 'input' in last ? (last.input ?? null) : null;
}

/** `1:5 CODE message (hint)` */
function issues(plan: Json): readonly string[] {
  const fragment = readFragment(plan, declarations);
  if (fragment.ok) return [];
  return fragment.error.issues.map(
    ({ place, code, message, hint }) => `${place?.line}:${place?.column} ${code} ${message} (${hint ?? ''})`,
  );
}

describe('a plan of calls in Python', () => {
  test('has a step for each call, the innermost first', () => {
    expect(steps('book(flight=flights.find(to=airport(city="Rome")), seats=2)')).toEqual([
      { name: 'airport', capability: 'airport', input: { city: 'Rome' } },
      { name: 'flights_find', capability: 'flights.find', input: { to: '{{ results.airport }}' } },
      { name: 'book', capability: 'book', input: { flight: '{{ results.flights_find }}', seats: 2 } },
    ]);
  });

  test('names steps by variables, and refers to results and their parts', () => {
    const plan = `
      rome = airport(city='Rome')   # the nearest one
      found = flights.find(to=rome["code"])
      book(id=found.offers[0].id, names=[rome.name, "Ada"], note=f"to {rome['name']}, {found.offers[1]}")
    `;
    expect(steps(plan)).toEqual([
      { name: 'rome', capability: 'airport', input: { city: 'Rome' } },
      { name: 'found', capability: 'flights.find', input: { to: '{{ results.rome.code }}' } },
      {
        name: 'book',
        capability: 'book',
        input: {
          id: '{{ results.found.offers.0.id }}',
          names: ['{{ results.rome.name }}', 'Ada'],
          note: 'to {{ results.rome.name }}, {{ results.found.offers.1 }}',
        },
      },
    ]);
  });

  test('takes arguments by position in the order of the contract', () => {
    expect(steps('flights.find("Oslo", "Rome")')).toMatchObject([{ input: { from: 'Oslo', to: 'Rome' } }]);
    expect(steps('flights.find("Oslo", to="Rome")')).toMatchObject([{ input: { from: 'Oslo', to: 'Rome' } }]);
    expect(steps('book(7, seats=2)')).toMatchObject([{ input: { arguments: [7], seats: 2 } }]);
  });

  test('may give a variable a new value', () => {
    expect(steps('x = airport(city="a")\nx = book(at=x)\nbook(at=x)')).toMatchObject([
      { name: 'x' },
      { name: 'x_2', input: { at: '{{ results.x }}' } },
      { name: 'book', input: { at: '{{ results.x_2 }}' } },
    ]);
  });

  test('may keep values, parts of results, and calls in variables', () => {
    expect(
      input('cities = ["Oslo", "Rome"]\ncode = airport(city=cities[1])["code"]\nbook(all=cities, to=[code, code])'),
    ).toEqual({
      all: ['Oslo', 'Rome'],
      to: ['{{ results.airport.code }}', '{{ results.airport.code }}'],
    });
  });

  test('keeps the order of calls that change something, and lets those that only read run beside each other', () => {
    const plan = 'airport(city="a")\nairport(city="b")\nbook(id=1)\nairport(city="c")\nairport(city="d")\nbook(id=2)';
    expect(read(plan).steps.map(({ name, dependencies }) => [name, dependencies])).toEqual([
      ['airport', []],
      ['airport_2', []],
      ['book', ['airport', 'airport_2']],
      ['airport_3', ['book']],
      ['airport_4', ['book']],
      ['book_2', ['airport_3', 'airport_4']],
    ]);
  });

  test.each<[string, string]>([
    ['a list of calls', '[airport(city="a"), airport(city="b")]'],
    ['calls with commas between them', 'airport(city="a"), airport(city="b")'],
    ['semicolons', 'airport(city="a"); airport(city="b");'],
    ['brackets over several lines', 'airport(\n  city="a",\n)\n(airport(city=\\\n"b"))'],
    ['indented lines, and line ends of Windows', '  airport(city="a")\r\n  airport(city="b")\r\n'],
    ['prints', 'print(airport(city="a"))\nprint("next:", airport(city="b"), sep="")\nprint("done")'],
    ['a fence', 'First I look.\n```python\nairport(city="a")\nairport(city="b")\n```\nThat is all.'],
    ['a fence of Gemini', '```tool_code\nprint(airport(city="a"))\nprint(airport(city="b"))\n```'],
    ['reasoning before it', '<think>maybe f(1)?</think>\nairport(city="a")\nairport(city="b")'],
  ])('may be written with %s', (_, plan) => {
    expect(steps(plan)).toMatchObject([
      { name: 'airport', input: { city: 'a' } },
      { name: 'airport_2', input: { city: 'b' } },
    ]);
  });

  test.each<[string, Json]>([
    ['a list of texts', ['a = airport(city="a")', 'book(id=a.id)']],
    ['a list of texts under a usual name', { plan: ['a = airport(city="a")', 'book(id=a.id)'] }],
    ['a text under a usual name', { rationale: 'so', plan: 'a = airport(city="a")\nbook(id=a.id)' }],
  ])('may stand in JSON as %s', (_, plan) => {
    expect(steps(plan)).toMatchObject([{ name: 'a' }, { name: 'book', input: { id: '{{ results.a.id }}' } }]);
  });

  test('in JSON has its faults at the place of the text', () => {
    const found = readFragment(['book(id=1)', "book(x='it's')"], declarations);
    expect(found.ok ? [] : found.error.issues).toMatchObject([
      { code: 'CALL_SYNTAX', path: [1], place: { column: 11 } },
    ]);
  });

  test('may call tools by names of public lists', () => {
    expect(steps('Text-to-Speech(text="a")')).toMatchObject([{ capability: 'text_to_speech' }]);
    expect(steps('Flights.Find(to="a")')).toMatchObject([{ capability: 'flights.find' }]);
  });

  test('tells how it was understood', () => {
    expect(read('print(book(id=1))\nprint("done")\nbook(id=2)').understood).toEqual([
      'calls in Python as steps',
      '"print(…)" as the calls in it',
      '"print(…)" as no step',
      'the order of the calls as what they wait for, except between calls that only read',
    ]);
  });

  test('gives way to a plan in JSON beside it', () => {
    const inJson = '{"steps": [{"name": "a", "capability": "book"}]}';
    expect(steps(`\`\`\`python\nairport(city="x")\n\`\`\`\n${inJson}`)).toMatchObject([{ name: 'a' }]);
    expect(steps('```python\nbook(plan={"steps": [{"name": "a", "capability": "book"}]})\n```')).toMatchObject([
      { name: 'book', capability: 'book' },
    ]);
  });

  test('is the last of two fences', () => {
    const { understood } = read('```\nairport(city="a")\n```\nor\n```\nbook(id=1)\n```');
    expect(understood).toContain('the last of 2 plans');
  });
});

describe('a literal of Python', () => {
  test.each<[string, Json]>([
    ['None', null],
    ['True', true],
    ['false', false],
    ['-1_000', -1000],
    ['+.5e2', 50],
    ['0x1F', 31],
    ['()', []],
    ['(1,)', [1]],
    ['(1)', 1],
    ['{}', {}],
    ["{'a': [1, {'b': None}], \"c\": (2, 3),}", { a: [1, { b: null }], c: [2, 3] }],
    [`'it''s'`, 'its'],
    [`"a" 'b'`, 'ab'],
    [String.raw`'it\'s \x41\u00e9\U0001F600\t\101'`, "it's A\u00e9\u{1F600}\tA"],
    [String.raw`r'\d+\n'`, '\\d+\\n'],
    [String.raw`'\d'`, '\\d'],
    ['"""two\nlines, "quoted" """', 'two\nlines, "quoted" '],
    ["'''a\\\nb'''", 'ab'],
    ['f"{{x}}"', '{x}'],
  ])('%s is read', (written, value) => {
    expect(input(`book(x=${written})`)).toEqual({ x: value });
  });

  test.each([
    ['1__0x', '1:8 CALL_SYNTAX this is no number'],
    ['012', '1:8 CALL_SYNTAX this is no number'],
    ['12345678901234567890', '1:8 NUMBER_INEXACT the number has too many digits to be exact'],
    ['b"x"', '1:8 CALL_SYNTAX a text with the prefix "b" is not part of a plan'],
    ['"x, y=1)', '1:8 CALL_SYNTAX the text is not closed on its line'],
    [String.raw`"\xZ"`, '1:9 CALL_SYNTAX this escape is not complete'],
    ['{1, 2}', '1:8 CALL_SYNTAX a set is not part of a plan'],
    ['{1: 2}', '1:9 CALL_SYNTAX the key of a map must be a text'],
    ['{"a": 1, "a": 2}', '1:17 CALL_SYNTAX the key occurs twice in this map'],
    ['f"{1 + 2}"', '1:10 CALL_SYNTAX braces in an f-string hold a name here, and nothing else'],
    ['...', '1:8 CALL_SYNTAX three dots leave something out'],
  ])('%s is refused at its place', (written, found) => {
    const [first, second] = issues(`book(x=${written})\nbook(x=1)`);
    expect(first?.startsWith(`${found} (`), first).toBe(true);
    expect(second).toBeUndefined();
  });
});

describe('a reference in a text of Python', () => {
  test.each([
    ['"$a$"', '{{ results.a }}'],
    ['"see <node-0>.code"', 'see {{ results.a.code }}'],
    ['"{{ results.a.code }}"', '{{ results.a.code }}'],
    ['"$5 and {curly}"', '$5 and {curly}'],
  ])('%s is read', (written, meant) => {
    expect(input(`a = airport(city="x")\nbook(x=${written})`)).toEqual({ x: meant });
  });

  test.each(['"$1"', '"<node-7>"', '"output_of_step_1"', '"${price}"'])('%s is refused', (written) => {
    expect(issues(`airport(city="x")\nbook(x=${written})`)).toEqual([
      expect.stringMatching(/^2:8 REFERENCE_FOREIGN .* \(write the variable of the call without quotes\)$/),
    ]);
  });
});

describe('other parts of Python are refused with advice:', () => {
  test.each([
    ['for x in y:\n    book(id=x)\n    z = 1', '1:1 CALL_SYNTAX a loop is not part of a plan of calls'],
    ['if a:\n  book(id=1)\nelse:\n  book(id=2)', '1:1 CALL_SYNTAX a condition is not part of a plan of calls'],
    ['book(id=1) if True else 2', '1:12 CALL_SYNTAX a condition is not part of a plan of calls'],
    ['book(ids=[x for x in y])', '1:13 CALL_SYNTAX a loop is not part of a plan of calls'],
    ['book(n=1 + 2)', '1:10 CALL_SYNTAX a computation is not part of a plan of calls'],
    ['book(n=not True)', '1:8 CALL_SYNTAX a computation is not part of a plan of calls'],
    ['book(n="a".upper())', '1:11 CALL_SYNTAX a computation is not part of a plan of calls'],
    ['book(n=lambda x: x)', '1:8 CALL_SYNTAX a definition is not part of a plan of calls'],
    ['import json', '1:1 CALL_SYNTAX a plan of calls imports nothing'],
    ['def f():\n\n  return 1\n', '1:1 CALL_SYNTAX a definition is not part of a plan of calls'],
    ['x = await book(id=1)', '1:5 CALL_SYNTAX "await" is not part of a plan of calls'],
    ['return book(id=1)', '1:1 CALL_SYNTAX "return" is not part of a plan of calls'],
    ['x += 1', '1:3 CALL_SYNTAX a computation is not part of a plan of calls'],
    ['x: str = "a"', '1:2 CALL_SYNTAX a variable has no type here'],
    ['a, b = book(id=1)', '1:1 CALL_SYNTAX several variables are assigned at once'],
    ['a["x"] = 1', '1:1 CALL_SYNTAX only a name can be assigned'],
    ['book(**{"id": 1})', '1:6 CALL_SYNTAX a plan unpacks nothing'],
    ["book(x='it's')", '1:11 CALL_SYNTAX the text ends at this quote, and words follow'],
    ['book(id: 1)', '1:8 CALL_SYNTAX an argument has "=" after its name'],
    ['book(id=1, 2)', '1:12 CALL_SYNTAX an argument without a name stands after one with a name'],
    ['book(id=1, id=2)', '1:12 CALL_SYNTAX "id" is given twice'],
    ['book(id=1', '1:5 CALL_SYNTAX this bracket is not closed'],
    ['book(id=1))', '1:11 CALL_SYNTAX ")" cannot stand here'],
    ['book(id=)', '1:9 CALL_SYNTAX a value is missing here'],
    ['book(id=1)(2)', '1:11 CALL_SYNTAX a result cannot be called'],
    ['x = book(id=1)\nx.get("a")', '2:1 CALL_SYNTAX "x" is a result, and has no methods here'],
    ['x = book(id=1)\nbook(id=x[1:2])', '2:12 CALL_SYNTAX a slice is not part of a plan of calls'],
    ['x = book(id=1)\nbook(id=x[-1])', '2:10 CALL_SYNTAX a result is not counted from its end'],
    ['x = book(y="""x', '1:12 CALL_SYNTAX the text is not closed'],
    [
      'x = book(to=rmoe)\nbook(to=x.code, at=f"{x}")',
      '1:13 CALL_NAME_UNKNOWN no line before this gives "rmoe" a value',
    ],
    ['x = 1\nx', '2:1 CALL_SYNTAX this calls nothing'],
    ['"just a text"', '1:1 CALL_SYNTAX this calls nothing'],
    ['book(to=rmoe)', '1:9 CALL_NAME_UNKNOWN no line before this gives "rmoe" a value'],
    ['book({"name": "a", "value": 1})', '1:6 CALL_SYNTAX a map with "name" and "value" cannot stand without a name'],
  ])('%s', (line, found) => {
    const [first, second] = issues(`${line}\nbook(id=3)`);
    expect(first?.startsWith(`${found} (`), first).toBe(true);
    expect(first).not.toMatch(/\(\)$/);
    expect(second).toBeUndefined();
  });

  test('all faults of a plan are reported at once, beside the issues of its other calls', () => {
    expect(issues('import os\na = book(id=1) + 1\nbook(id=a)\nflights.find("a", "b", "c")')).toEqual([
      expect.stringMatching(/^1:1 CALL_SYNTAX/),
      expect.stringMatching(/^2:16 CALL_SYNTAX/),
      expect.stringMatching(/^4:13 ARGUMENT_UNEXPECTED/),
    ]);
  });
});

describe('words', () => {
  test.each(['Book a flight to Rome', 'Compare (a) with (b)', 'see book(1)'])('%s stay a task', (words) => {
    expect(steps({ tasks: [words] })).toMatchObject([{ agent: 'default', description: words }]);
  });

  test.each(['I cannot plan this.', 'Sure (of course)!', 'x = 1', 'nothing'])('%s are no plan', (words) => {
    const fragment = readFragment(words, declarations);
    expect(fragment.ok ? [] : fragment.error.issues.map(({ code }) => code)).toEqual(['FRAGMENT_UNREADABLE']);
  });
});
