// Prints docs/lisp.md and the REPL's help from the tables of builtins.
import type { Builtin } from './builtin.ts';
import { chapters, findBuiltin } from './builtins.ts';
import { departures } from './departures.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { specialForms } from './special-forms.ts';

/** The answer to `(doc name)`: shapes, one line and an example; undefined for an unknown name. */
export function docOf(name: string): string | undefined {
  const special = specialForms.find((form) => form.name === name);
  if (special !== undefined) return `${special.shape}\n  ${special.doc}\n  ${special.example} ;=> ${special.gives}`;
  const builtin = findBuiltin(name);
  if (builtin === undefined) return undefined;
  return `${builtin.name}  takes ${arity(builtin)}\n  ${builtin.doc}\n  ${builtin.example} ;=> ${builtin.gives}`;
}

function arity({ min, max }: Builtin): string {
  if (max === Number.POSITIVE_INFINITY) return `${min}+`;
  return min === max ? String(min) : `${min}–${max}`;
}

/** The complete text of docs/lisp.md. */
export function lispReference(): string {
  const names = chapters.reduce((sum, chapter) => sum + chapter.builtins.length, 0);
  const parts = [
    introduction(names),
    specialFormTable(),
    ...chapters.map(({ title, builtins }) => `### ${title}\n\n${builtinTable(builtins)}`),
    departureTable(),
    limitTable(),
    ERRORS,
  ];
  return `${parts.join('\n\n')}\n`;
}

function introduction(names: number): string {
  return `# The Lisp

<!-- Generated from the tables in src/lisp by \`npm run generate\`. -->

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

${names} builtins. The functions of clojure.core stand without a namespace; those of clojure.string, clojure.set and
clojure.walk may be written as \`string/join\`, \`str/join\`, \`clojure.string/join\` or \`join\` (\`set/…\`, \`walk/…\` likewise),
with clojure.core first where a short name has two meanings. A local name or a \`def\` hides a builtin of the same name.

Every call and every turn of a loop burns a unit of fuel, and a builtin burns fuel for the data that it handles. The column *fuel* is the most that a call burns:
\`n\` is the number of elements of the collections, \`c\` characters of the texts that it reads and writes, \`k\` arguments, \`r\` instructions of the regex. Functions among
the arguments burn their own fuel on top, and so do keys that are collections, by their size. Every example runs as a
test, and another test measures each formula on growing arguments.`;
}

function specialFormTable(): string {
  const rows = specialForms.map(({ shape, doc, example, gives }) =>
    cells(code(shape), escaped(doc), code(example), code(gives)),
  );
  return `## Special forms\n\n${cells('form', 'description', 'example', 'value')}\n|---|---|---|---|\n${rows.join('\n')}\n\n## Builtins`;
}

function builtinTable(builtins: readonly Builtin[]): string {
  const rows = builtins.map((each) =>
    cells(code(each.name), arity(each), each.price, escaped(each.doc), code(each.example), code(each.gives)),
  );
  return `${cells('name', 'arguments', 'fuel', 'description', 'example', 'value')}\n|---|---|---|---|---|---|\n${rows.join('\n')}`;
}

function departureTable(): string {
  const rows = departures.map(({ title, reason, examples }) =>
    cells(
      escaped(title),
      escaped(reason),
      examples.map(([expression, here]) => `${code(expression)} → ${code(here)}`).join('<br>'),
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
of arguments to builtins are found by \`compile\`, all in one pass. See [errors.md](errors.md).`;

function cells(...texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |`;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}

function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${escaped(text)}${fence}`;
}
