// Colors of templates, as VS Code computes them: the YAML grammar with the grammars of the extension injected.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { specialForms } from '../../../src/lisp/special-forms.ts';
import { type Token, tokensOf } from './tokens.ts';

const LISP = 'meta.embedded.lisp.reconverge';
const ofLisp = (tokens: readonly Token[]): string =>
  tokens
    .flatMap(({ scopes, text }) =>
      scopes.includes(LISP) && scopes.at(-1) !== 'comment.line.number-sign.yaml' ? [text.trim()] : [],
    )
    .join(' ');
const scopeOf = (tokens: readonly Token[], text: string): string | undefined =>
  tokens.find((each) => each.text === text)?.scopes.at(-1);
const step = (lines: string): string => `reconverge: 1\nsteps:\n  - name: a\n${lines}\n    agent: b\n`;

/** Each value, and the Lisp in it. */
const places: readonly (readonly [string, string, string])[] = [
  ['a plain scalar with the tag', '    expr: !lisp (inc 1)', '( inc 1 )'],
  ['the Lisp before a comment of YAML', '    expr: !lisp (inc 1) # adds', '( inc 1 )'],
  ['a plain scalar of a key for Lisp', '    when: (inc 1)', '( inc 1 )'],
  ['a block with the tag', '    input: !lisp |\n      ; why\n      (inc 1)\n\n      2', '; why ( inc 1 ) 2'],
  ['a block of a key for Lisp', '    verification: |\n      (inc 1)', '( inc 1 )'],
  ['the lines below the tag', '    expr: !lisp\n      (inc\n        1)', '( inc 1 )'],
  ['a text in double quotes', '    expr: !lisp "(get {} \\"k\\")"', '( get { } \\" k \\" )'],
  ['a text in single quotes', `    when: '(inc "it''s")'`, `( inc " it''s " )`],
  ['a value in a map in braces', '    input: { a: !lisp (inc 1), b: 2 }', '( inc 1 )'],
  ['a quoted value in a map in braces', '    input: { a: !lisp "(get {} :b)", b: 2 }', '( get { } :b )'],
  ['an item of a list', '    input:\n      - !lisp (inc 1)\n      - 2', '( inc 1 )'],
  ['a block in a list', '    input:\n      - !lisp |\n        (inc 1)\n      - 2', '( inc 1 )'],
];

for (const [title, value, expected] of places) {
  test(`Lisp is colored in ${title}, and ends where YAML ends it`, async () => {
    const tokens = await tokensOf(step(value));
    assert.equal(ofLisp(tokens), expected);
    // The key below is a key again; the two grammars of YAML cut it differently.
    assert.ok(tokens.some(({ text, scopes }) => /^a?gent$/.test(text) && scopes.includes('entity.name.tag.yaml')));
  });
}

test('a key for Lisp that begins a list item ends before the next key of the item', async () => {
  const tokens = await tokensOf(
    'reconverge: 1\nsteps:\n  - when: |\n      (inc 1)\n    name: a\n  - expr: !lisp (inc 2)\n    name: b\n',
  );
  assert.equal(ofLisp(tokens), '( inc 1 ) ( inc 2 )');
});

test('keys for Lisp that hold no Lisp stay YAML', async () => {
  const tokens = await tokensOf(
    'reconverge: 1\nrepair: { agent: a }\nsteps:\n  - name: a\n    when: true\n    repair:\n      agent: b\n',
  );
  assert.equal(ofLisp(tokens), '');
});

test('each part of Lisp has its own color', async () => {
  const tokens = await tokensOf(
    step(
      '    expr: !lisp |\n      (defn add [x] (let [y data/input] (str/join :k [own 1.5 nil %2 \\a #"\\d" "t\\n" #_2])))\n      (add 1)',
    ),
  );
  const expected: Record<string, string> = {
    defn: 'keyword.declaration.lisp',
    add: 'entity.name.function.lisp',
    let: 'keyword.control.lisp',
    'data/input': 'support.variable.reconverge',
    'str/join': 'support.function.lisp',
    ':k': 'constant.other.keyword.lisp',
    own: 'variable.other.lisp',
    '1.5': 'constant.numeric.lisp',
    nil: 'constant.language.lisp',
    '%2': 'variable.parameter.lisp',
    '\\a': 'constant.character.lisp',
    '#"': 'string.regexp.lisp',
    '\\n': 'constant.character.escape.lisp',
    '2': 'constant.numeric.lisp',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((text) => [text, scopeOf(tokens, text)])), expected);
});

test('every special form of the language is colored as one', async () => {
  const names = specialForms.map(({ name }) => name);
  const tokens = await tokensOf(step(`    expr: !lisp |\n${names.map((name) => `      (${name} x)`).join('\n')}`));
  const colored = tokens.filter(({ scopes }) => /^keyword[.].*lisp$/.test(scopes.at(-1) ?? '')).map(({ text }) => text);
  assert.deepEqual(colored, names);
});

test('references are colored in quoted, plain and block text, and settings of the environment too', async () => {
  const tokens = await tokensOf(
    step(
      '    prompt: |\n      See {{ results.one.rows[0] }}.\n    input: { a: "{{ input.a }}", b: "${env.KEY:-none}" }\n    title: On {{ item.name }}',
    ),
  );
  const roots = tokens.filter(({ scopes }) => scopes.at(-1) === 'support.variable.reconverge').map(({ text }) => text);
  assert.deepEqual(roots, ['results', 'input', 'env', 'item']);
  assert.equal(scopeOf(tokens, 'rows'), 'variable.other.property.reconverge');
});

test('comments hold no references and no Lisp', async () => {
  const tokens = await tokensOf(`reconverge: 1 # {{ input.a }}\n# when: (inc 1)\n# a: !lisp (inc 1)\n`);
  assert.deepEqual(
    tokens.filter(({ scopes }) =>
      scopes.some((each) => /reconverge$|lisp$/.test(each) && !each.startsWith('meta.template')),
    ),
    [],
  );
});

test('other YAML files keep their colors', async () => {
  const tokens = await tokensOf('jobs:\n  a:\n    when: (x)\n    run: "{{ input.folder }}"\n    b: !lisp (x)\n');
  assert.deepEqual(
    tokens.filter(({ scopes }) => scopes.some((each) => /reconverge|lisp$/.test(each))),
    [],
  );
});

test('every template of the repository is colored to its end', async () => {
  const folder = join(import.meta.dirname, '../../../templates');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml') && !name.includes('.scenarios.'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const tokens = await tokensOf(text);
    // A string of Lisp or of YAML that is never closed would take the keys below it with it.
    const keys = tokens.filter(({ scopes }) => scopes.includes('entity.name.tag.yaml')).map(({ line }) => line);
    const written = text.split('\n').flatMap((line, index) => (/^[a-z_]+:/.test(line) ? [index + 1] : []));
    assert.deepEqual(
      written.filter((line) => !keys.includes(line)),
      [],
      file,
    );
    assert.equal(ofLisp(tokens).split('(').length, ofLisp(tokens).split(')').length, file);
  }
});
