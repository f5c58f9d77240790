// Writes docs/reference/lisp: a page on the language, and one for each chapter of builtins, from the tables in src/lisp.
import type { Builtin } from '../../src/lisp/builtin.ts';
import { chapters } from '../../src/lisp/builtins.ts';
import { departures } from '../../src/lisp/departures.ts';
import { defaultLimits, type Limits } from '../../src/lisp/limits.ts';
import { arity } from '../../src/lisp/reference.ts';
import { specialForms } from '../../src/lisp/special-forms.ts';
import { anchorOf, cell, type Pages, page } from './pages.ts';

export function lispReference(): Pages {
  const chapterPages = chapters.map(({ title, builtins }) => [
    `lisp/${anchorOf(title)}.md`,
    page(
      `# ${title}`,
      '',
      `Functions of the [Lisp](README.md). The column *fuel* is explained under [Fuel](README.md#fuel).`,
      '',
      builtinTable(builtins),
    ),
  ]);
  return { 'lisp/README.md': languagePage(), ...Object.fromEntries(chapterPages) };
}

function languagePage(): string {
  const names = chapters.reduce((sum, chapter) => sum + chapter.builtins.length, 0);
  return page([introduction(names), specialFormTable(), departureTable(), limitTable(), ERRORS].join('\n\n'));
}

function chapterTable(): string {
  const rows = chapters.map(({ title, builtins }) =>
    cells(
      `[${title}](${anchorOf(title)}.md)`,
      String(builtins.length),
      builtins
        .slice(0, 4)
        .map(({ name }) => code(name))
        .join(' '),
    ),
  );
  return `${cells('chapter', 'functions', 'such as')}\n|---|---|---|\n${rows.join('\n')}`;
}

function introduction(names: number): string {
  return `# The Lisp

A small, closed, bounded Clojure for short expressions over data: predicates, \`when\` and \`choose\` conditions, computed
inputs, collections to fan out over, rule planners. It can only compute over the data it is given, within limits, and
always ends.

\`\`\`ts
import { compile, run } from 'reconverge/lisp';

const program = compile('(> (get data/result "price") 0)', { bindings: ['result'] });
const outcome = program.ok ? run(program.value, { result: { price: 12 } }) : program.error;
\`\`\`

\`compile\` returns a program or all issues; \`run\` returns \`{ ok: true, value, fuel }\` or \`{ ok: false, error, fuel }\` and never
throws. \`toJson\` and \`toEdn\` convert values to JSON and EDN. On the command line: \`reconverge lisp -e '(+ 1 2)'\`.

## Data

nil, booleans, numbers, strings, keywords, vectors, maps, sets, regular expressions, functions. A program reads
JSON without a conversion: objects are maps with string keys, lists are vectors. In the JSON of a result, keywords become
strings, and sets become lists.

Data is bound by name and read-only: \`data/input\`, \`data/result\`, \`data/depends\` in predicates, and other names elsewhere.

## Predicates

nil and false fail; a string fails with that text as the diagnosis, and so does \`(fail "…")\`; any other value passes.
An error never passes. \`result\`, \`input\` and \`depends\` may be written without \`data/\`.

\`\`\`clojure
(if (>= (count (:rows data/result)) 10)
  true
  (str "expected 10 rows, found " (count (:rows data/result))))
\`\`\`

## Names

There are ${names} builtins. The functions of clojure.core stand without a namespace; those of clojure.string, clojure.set and
clojure.walk may be written as \`string/join\`, \`str/join\`, \`clojure.string/join\` or \`join\` (\`set/…\`, \`walk/…\` likewise),
with clojure.core first where a short name has two meanings. A local name or a \`def\` hides a builtin of the same name.

${chapterTable()}

## Fuel

Every call and every turn of a loop burns a unit of fuel, and a builtin burns fuel for the data that it handles. The column *fuel* is the most that a call burns:
\`n\` is the number of elements of the collections, \`c\` characters of the texts that it reads and writes, \`k\` arguments, \`r\` instructions of the regex. Functions among
the arguments burn their own fuel on top, and so do keys that are collections, by their size. Every example runs as a
test, and another test measures each formula on growing arguments.`;
}

function specialFormTable(): string {
  const rows = specialForms.map(({ shape, doc, example, gives }) =>
    cells(code(shape), cell(doc), code(example), code(gives)),
  );
  return `## Special forms\n\n${cells('form', 'description', 'example', 'value')}\n|---|---|---|---|\n${rows.join('\n')}`;
}

function builtinTable(builtins: readonly Builtin[]): string {
  const rows = builtins.map((each) =>
    cells(code(each.name), arity(each), each.price, cell(each.doc), code(each.example), code(each.gives)),
  );
  return `${cells('name', 'arguments', 'fuel', 'description', 'example', 'value')}\n|---|---|---|---|---|---|\n${rows.join('\n')}`;
}

function departureTable(): string {
  const rows = departures.map(({ title, reason, examples }) =>
    cells(
      cell(title),
      cell(reason),
      examples.map(([expression, here]) => `${code(expression)} → ${code(here)}`).join(', '),
    ),
  );
  return `## Departures from Clojure\n\nThis table lists every deliberate difference. Everything else should work as in Clojure.\n\n${cells('difference', 'reason', 'here')}\n|---|---|---|\n${rows.join('\n')}`;
}

const LIMITS: Readonly<Record<keyof Limits, string>> = {
  fuel: 'units of work: one for each call, turn of a loop, and element that a builtin handles',
  cells: 'slots of memory that a run may allocate in total',
  depth: 'levels of nesting at run time; a plain recursive function reaches about 600 calls',
  text: 'characters of one string',
  output: 'characters, roughly, of a value as JSON or EDN; shared parts count each time',
  nesting: 'nested brackets in the source',
  source: 'characters of the source',
  deadline: 'milliseconds, when the caller passes a clock; a last resort',
};

function limitTable(): string {
  const rows = Object.entries(LIMITS).map(([name, doc]) =>
    cells(code(name), String(Object.entries(defaultLimits).find(([key]) => key === name)?.[1] ?? ''), doc),
  );
  return `## Limits\n\nThe limits are the same on every machine, except the deadline. A program cannot catch the error at a limit; the error names the limit and the place.\n\n${cells('limit', 'default', 'description')}\n|---|---|---|\n${rows.join('\n')}`;
}

const ERRORS = `## Errors

Every error has a code, a message, a line and a column, the expression, and often a hint. Families: \`parse\`
(\`LISP_PARSE\`, \`LISP_FORM\`), \`unbound\` (\`LISP_UNBOUND\`), \`arity\` (\`LISP_ARITY\`), \`type\` (\`LISP_TYPE\`), \`arithmetic\`
(\`LISP_ARITHMETIC\`), \`limit\` (\`LISP_OUT_OF_FUEL\`, \`LISP_LIMIT\`), \`fail\` (\`LISP_FAILED\`). Unknown names and wrong numbers
of arguments to builtins are found by \`compile\`, all in one pass. See [Errors](../errors.md).`;

function cells(...texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |`;
}

function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${cell(text)}${fence}`;
}
