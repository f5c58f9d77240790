// Writes docs/reference/api: the exports of each entry point of the package, with docstrings and types from the compiler.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { emitTypes } from '../emit-types.ts';
import { type Pages, page } from './pages.ts';

/** The entry points by subpath, with their purpose. */
const doors = {
  reconverge: ['index', 'Engines, capabilities, templates, stores.'],
  'reconverge/testing': [
    'testing/index',
    'For tests: scripted models, scenarios, and the suites that implementations of a port run.',
  ],
  'reconverge/lisp': ['lisp/index', 'The expression language alone.'],
  'reconverge/otel': ['otel/index', 'Traces and metrics by OpenTelemetry.'],
  'reconverge/postgres': ['postgres/index', 'A store in PostgreSQL.'],
} as const;

/** The pages that `apiReference` writes. */
export const apiFiles: readonly string[] = ['README.md', ...Object.keys(doors).map(fileOf)].map(
  (file) => `api/${file}`,
);

/** Longer declarations are described elsewhere. */
const MOST_LINES = 130;
const elsewhere: Readonly<Record<string, string>> = {
  TemplateDocument: 'A template as it is written: [every key](../template/README.md).',
  Event: 'Every kind of event with its fields: [Events](../events.md).',
};

/** A page for each entry point. */
export async function apiReference(): Promise<Pages> {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-api-'));
  try {
    await emitTypes(folder);
    return pagesOf(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function pagesOf(folder: string): Pages {
  const entries = Object.entries(doors).map(
    ([subpath, [door, what]]) => [subpath, what, exportsOf(join(folder, `${door}.d.ts`))] as const,
  );
  const ownEntries = new Set(entries.flatMap(([, , exported]) => exported.map(({ name }) => name)));
  const pages = entries.map(([subpath, what, exported]) => [
    `api/${fileOf(subpath)}`,
    page(`# ${subpath}`, '', what, '', ...exported.map(({ name, file }) => entry(name, file, ownEntries))),
  ]);
  const rows = entries.map(([subpath, what]) => `| [\`${subpath}\`](${fileOf(subpath)}) | ${what} |`);
  const index = page(
    '# API',
    '',
    'Everything that the package exports, with its docstrings. [Library](../../library.md) shows how to use it.',
    '',
    '| import from | holds |',
    '|---|---|',
    ...rows,
  );
  return { 'api/README.md': index, ...Object.fromEntries(pages) };
}

function fileOf(subpath: string): string {
  return `${subpath.slice(subpath.indexOf('/') + 1)}.md`;
}

interface Exported {
  readonly name: string;
  readonly file: string;
}

function exportsOf(door: string): readonly Exported[] {
  const text = readFileSync(door, 'utf8');
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '(.+)\.ts';$/gm)].flatMap(([, names = '', path = '']) =>
    names
      .split(',')
      .map((name) => name.replace(/\btype\b/, '').trim())
      .filter((name) => name !== '')
      .map((name) => ({ name, file: join(dirname(door), `${path}.d.ts`) })),
  );
}

function entry(name: string, file: string, ownEntries: ReadonlySet<string>): string {
  const declaration = declarationOf(name, readFileSync(file, 'utf8'));
  const { said } = declaration;
  const code = withInherited(declaration.code, file, ownEntries);
  const told = elsewhere[name];
  const lines = code.split('\n').length;
  if (told === undefined && lines > MOST_LINES) throw new Error(`${name} has ${lines} lines: say where it is told of`);
  const shown = told ?? `\`\`\`ts\n${code}\n\`\`\``;
  return `## ${name}\n\n${said === '' ? '' : `${said}\n\n`}${shown}\n`;
}

/** Lists the inherited properties of an interface inside it when their own type has no entry on the page. */
function withInherited(code: string, file: string, ownEntries: ReadonlySet<string>): string {
  const [heading = '', name = '', list = ''] = /^interface (\w+) extends (.*) \{\n/.exec(code) ?? [];
  const parents = [...list.matchAll(/(?:(Omit|Pick)<(\w+), '([^>]*)'>|(\w+))(?:, |$)/g)];
  if (heading === '' || parents.map(([parent]) => parent).join('') !== list) return code;
  const kept: string[] = [];
  const inherited: string[] = [];
  for (const [parent, change, changed = '', keys = '', whole = changed] of parents) {
    const source = ownEntries.has(whole) ? undefined : importOf(whole, file);
    if (source === undefined) {
      kept.push(parent.replace(/, $/, ''));
    } else {
      const named = keys.split(/[' |]+/);
      const properties = propertiesOf(declarationOf(whole, readFileSync(source, 'utf8')).code);
      const taken = properties.filter(([key]) => change === undefined || named.includes(key) === (change === 'Pick'));
      inherited.push(...taken.map(([, property]) => property));
    }
  }
  const extended = kept.length === 0 ? '' : ` extends ${kept.join(', ')}`;
  return `interface ${name}${extended} {\n${[...inherited, code.slice(heading.length)].join('\n')}`;
}

function importOf(name: string, file: string): string | undefined {
  const path = new RegExp(`^import (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from '(.+)\\.ts';$`, 'm').exec(
    readFileSync(file, 'utf8'),
  )?.[1];
  return path === undefined ? undefined : join(dirname(file), `${path}.d.ts`);
}

/** The properties of an object type by name, each with its docstring. */
function propertiesOf(code: string): readonly (readonly [key: string, property: string])[] {
  const body = code.slice(code.indexOf('{\n') + 2, code.lastIndexOf('\n}')).replaceAll(/\n(?:\s*\n)+/g, '\n');
  return body
    .split(/(?<=;)\n(?= {2}(?:\/\*\*|readonly ))/)
    .map((property) => [/^ {2}readonly (\w+)/m.exec(property)?.[1] ?? '', property] as const);
}

/** For `name as other`, the file declares the first name. */
function declarationOf(name: string, text: string): { readonly said: string; readonly code: string } {
  const [own = name] = name.split(' as ');
  const start = new RegExp(
    `((?:/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?)export ((?:declare )?(?:interface|type|function|class|const) ${own}\\b)`,
  ).exec(text);
  if (start === null) throw new Error(`no declaration of ${name} is emitted`);
  const [whole, comment = '', head = ''] = start;
  const rest = text.slice(start.index + whole.length - head.length);
  const overloads = new RegExp(`^export declare function ${own}\\b.*$`, 'gm');
  const code =
    /^declare function/.test(head) && [...text.matchAll(overloads)].length > 1
      ? overloaded(text, overloads)
      : upToEnd(rest);
  return {
    said: wordsOf(comment),
    code: code
      .replaceAll(/^( +)/gm, (margin) => ' '.repeat(margin.length / 2))
      .replace(/^declare /, '')
      .replaceAll(/\bimport\("[^"]*"\)\./g, ''),
  };
}

function overloaded(text: string, overloads: RegExp): string {
  return [...text.matchAll(overloads)].map(([line]) => line.replace('export declare ', '')).join('\n');
}

/** The lines up to the one that closes every bracket. */
function upToEnd(text: string): string {
  let depth = 0;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    lines.push(line);
    const code = line.replace(/\/\*.*?\*\/|^\s*\*.*|'[^']*'/g, '');
    depth += (code.match(/[{[(]/g) ?? []).length - (code.match(/[}\])]/g) ?? []).length;
    if (depth === 0 && /[;}]$/.test(line)) break;
  }
  return lines.join('\n');
}

function wordsOf(comment: string): string {
  return comment
    .replaceAll(/^\s*\/?\*+\/?|\*\/\s*$/gm, '')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/^@(throws|param|returns)\b/gm, '\n**$1**')
    .trim();
}
