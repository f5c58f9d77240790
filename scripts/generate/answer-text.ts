// Prints the JSON answers of commands from their schemas: for `--help`, and as tables for docs/reference/cli.
import type { JsonObject } from '../../src/base/json.ts';
import { answers, definitions } from '../../src/cli/answers/answers.schema.ts';
import { anchorOf, capital, cell } from './pages.ts';

type AnswerForm = (typeof answers)[string][number];

type Schema = JsonObject & {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
};

interface Row {
  /** `runs`, `failure?`, `runs[].driven` */
  readonly key: string;
  readonly text: string;
}

const DEPTH = 3;

/** `With --json:` and a line for each key, form by form. */
function helpLines(forms: readonly AnswerForm[]): readonly string[] {
  return forms.flatMap(({ schema, when }, index) => [
    `${index > 0 ? capital(when) : when === '' ? 'With --json:' : `With --json, ${when}`}`,
    ...rowsOf(plain(schema)).map(({ key, text }) => `  ${key}: ${text.replace(/<(\w+)>/g, '$1')}`),
  ]);
}

/** The first command that prints a schema. */
const printed = new Map<unknown, string>();

export function answerSection(command: string): readonly string[] {
  return (answers[command] ?? []).flatMap(({ schema, when }, index) => {
    const head = index > 0 ? capital(when) : when === '' ? 'With `--json`:' : `With \`--json\`, ${when}`;
    const first = printed.get(schema) ?? command;
    printed.set(schema, first);
    if (first !== command) return [`${head.replace(/:$/, ',')} as under [\`${first}\`](${anchorOf(first)}.md).`, ''];
    const rows = rowsOf(plain(schema));
    return rows.length === 0 ? [head, ''] : [head, '', ...tableOf(rows.flatMap(nestedRows(plain(schema))))];
  });
}

/** The named shapes, once for all commands. */
export function shapesSection(): readonly string[] {
  return Object.entries(definitions).flatMap(([name, schema]) => {
    const shape = plain(schema);
    return [`## ${name}`, '', shape.description ?? '', '', ...tableOf(rowsOf(shape).flatMap(nestedRows(shape)))];
  });
}

function tableOf(rows: readonly Row[]): readonly string[] {
  return ['| key | holds |', '|---|---|', ...rows.map(({ key, text }) => `| \`${key}\` | ${cell(linked(text))} |`), ''];
}

/** Links the names of shapes to their tables. */
function linked(text: string): string {
  return text.replace(/<(\w+)>/g, (_, name: string) => `[${name}](shapes.md#${anchorOf(name)})`);
}

function rowsOf(schema: Schema): readonly Row[] {
  const of = target(schema);
  if (of.anyOf !== undefined && of.properties === undefined) return of.anyOf.flatMap(rowsOf);
  if (of.type === 'array' && of.items !== undefined) return rowsOf(of.items);
  const keys = keysOf(of);
  const [only, another] = keys;
  // A wrapper such as `{ report }`.
  if (only !== undefined && another === undefined && only[1].properties !== undefined)
    return keysOf(only[1]).map(([key, each]) => ({ key: `${only[0]}.${key}`, text: textOf(each) }));
  return keys.map(([key, each]) => ({ key, text: textOf(each) }));
}

function keysOf({ properties = {}, required = [] }: Schema): readonly (readonly [string, Schema])[] {
  return Object.entries(properties).map(([name, each]) => [required.includes(name) ? name : `${name}?`, each] as const);
}

/** The rows of described nested keys, below their row. */
function nestedRows(schema: Schema): (row: Row) => readonly Row[] {
  const keys = new Map(keysOf(listed(target(schema))));
  return (row) => {
    const own = keys.get(row.key);
    return [row, ...(own === undefined ? [] : described(row.key.replace('?', ''), own))];
  };
}

function described(path: string, schema: Schema): readonly Row[] {
  if (schema.$ref !== undefined) return [];
  const [at, of] = schema.type === 'array' ? [`${path}[]`, schema.items ?? {}] : [path, schema];
  if (schema.type === 'array' && of.$ref !== undefined) return [];
  return keysOf(of).flatMap(([key, each]) => [
    ...(each.description === undefined ? [] : [{ key: `${at}.${key}`, text: textOf(each) }]),
    ...described(`${at}.${key.replace('?', '')}`, each),
  ]);
}

function textOf(schema: Schema): string {
  const shape = shapeOf(schema, 1);
  const { description } = schema;
  if (description === undefined) return shape === '' ? 'text' : shape;
  return shape === '' ? description : `${shape}: ${description}`;
}

/** `[{ id, status }]`, `completed | failed`; nothing for text and numbers. */
function shapeOf(schema: Schema, depth: number): string {
  if (schema.$ref !== undefined) return `<${nameOf(schema.$ref)}>`;
  if (schema.enum !== undefined) return schema.enum.join(' | ');
  if (schema.type === 'array') {
    const item = shapeOf(schema.items ?? {}, depth);
    return item === '' ? '[…]' : `[${item}]`;
  }
  if (schema.properties !== undefined) {
    if (depth > DEPTH) return '{ … }';
    return `{ ${keysOf(schema)
      .map(([key, each]) => {
        const shape = each.enum !== undefined ? '' : shapeOf(each, depth + 1);
        return shape === '' || shape === '[…]' ? key : `${key}: ${shape}`;
      })
      .join(', ')} }`;
  }
  if (typeof schema.additionalProperties === 'object') {
    const each = shapeOf(schema.additionalProperties, depth + 1);
    return `{ name: ${each === '' ? (schema.additionalProperties.type ?? 'value') : each} }`;
  }
  return '';
}

function target(schema: Schema): Schema {
  const name = schema.$ref === undefined ? undefined : nameOf(schema.$ref);
  const found = name === undefined ? undefined : definitions[name];
  return found === undefined ? schema : plain(found);
}

function listed(schema: Schema): Schema {
  return schema.type === 'array' ? target(schema.items ?? {}) : schema;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function plain(schema: unknown): Schema {
  return JSON.parse(JSON.stringify(schema)) as Schema;
}

/** The module that `--help` reads the answers from. */
export function answerModule(): string {
  const lists = new Map<string, string>();
  const rows = Object.entries(answers).map(([command, forms]) => {
    const text = arrayText(helpLines(forms).map(quoted));
    const name = lists.get(text) ?? `answer${lists.size + 1}`;
    lists.set(text, name);
    return `  ${/^\w+$/.test(command) ? command : quoted(command)}: ${name},`;
  });
  return [
    '// The JSON answers of commands as `--help` prints them, generated by `npm run generate` from src/cli/answers.',
    '',
    ...[...lists].map(([text, name]) => `const ${name} = ${text};`),
    '',
    '/** Lines by the name of the command. */',
    'export const answers: Readonly<Record<string, readonly string[]>> = {',
    ...rows,
    '};',
    '',
  ].join('\n');
}

const WIDTH = 100;

function arrayText(items: readonly string[]): string {
  const line = `[${items.join(', ')}]`;
  return line.length <= WIDTH ? line : `[\n${items.map((item) => `  ${item},\n`).join('')}]`;
}

function quoted(text: string): string {
  return text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll('\\', '\\\\')}'`;
}
