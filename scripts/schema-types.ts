// Prints the types of schema files as plain TypeScript: descriptions become docstrings, and types of the source are imported by name.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { typeName } from '../src/base/builders.schema.ts';

const src = join(import.meta.dirname, '../src');

/** The schema file that declares no types of its own. */
export const BUILDERS = 'base/builders.schema.ts';

/** The keywords that the schema builders emit. */
interface Shape {
  readonly [typeName]?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

interface SchemaFile {
  /** The path relative to `src`: `engine/record/event.schema.ts`. */
  readonly path: string;
  /** Types that are inferred from a schema, in order. */
  readonly inferred: readonly { readonly name: string; readonly shape: Shape }[];
  /** Other exported types by name. */
  readonly written: ReadonlyMap<string, string>;
}

/** All schema files, with the file that declares each type they name. */
export interface SchemaTypes {
  readonly files: readonly SchemaFile[];
  readonly homes: ReadonlyMap<string, string>;
  /** Type names by the part of a schema that its copies share. */
  readonly names: ReadonlyMap<object, string>;
}

export async function readSchemaTypes(): Promise<SchemaTypes> {
  const files: SchemaFile[] = [];
  const homes = new Map<string, string>();
  const names = new Map<object, string>();
  for (const path of globSync('**/*.schema.ts', { cwd: src }).sort()) {
    const text = readFileSync(join(src, path), 'utf8');
    for (const [, type, list = '', from = ''] of text.matchAll(/^import (type )?\{([^}]*)\} from '(\.[^']+)';/gm)) {
      const imported = list.split(',').map((each) => each.trim());
      for (const each of imported.filter((name) => type !== undefined || name.startsWith('type '))) {
        homes.set(each.replace(/^type /, ''), join(dirname(path), from));
      }
    }
    if (path === BUILDERS) continue;
    const schemas: Readonly<Record<string, Shape>> = await import(join(src, path));
    const inferred = [...text.matchAll(/^export type (\w+) = Static<typeof (\w+)>;$/gm)].map(
      ([, name = '', of = '']) => {
        const shape = schemas[of];
        if (shape === undefined) throw new Error(`${path} must export ${of}, the schema of ${name}`);
        return { name, shape };
      },
    );
    const written = [
      ...text.matchAll(/^export (?:type|interface) (\w+)(?:[^\n]*;|[^;{]*;|[^;{]*\{[\s\S]*?^\})$/gm),
    ].filter(([code]) => !code.includes('Static<'));
    files.push({ path, inferred, written: new Map(written.map(([code, name = '']) => [name, code])) });
    for (const { name, shape } of inferred) {
      const core = coreOf(shape);
      if (core !== undefined) names.set(core, name);
    }
  }
  for (const { path, inferred, written } of files) {
    for (const name of [...inferred.map((each) => each.name), ...written.keys()]) homes.set(name, path);
  }
  return { files, homes, names };
}

/** The text of the declaration file of a schema file. `importPath` gives the path to import a file of `src` by. */
export function printTypes(
  { path, inferred, written }: SchemaFile,
  { homes, names }: SchemaTypes,
  importPath = (to: string) => relativePath(path, to),
): string {
  const declared = inferred.map(({ name, shape }) => {
    const own = new Map([...names].filter(([, each]) => each !== name));
    return `${docstring(shape.description, '')}export type ${name} = ${typeText(shape, own, '')};`;
  });
  const code = [...declared, ...written.values()].join('\n\n');
  const here = new Set([...inferred.map(({ name }) => name), ...written.keys()]);
  const used = new Set(code.replace(/\/\*\*[\s\S]*?\*\//g, '').match(/\b[A-Z]\w*\b/g));
  const imports = [...used].filter((name) => homes.has(name) && !here.has(name)).sort();
  const lines = imports.map((name) => `import type { ${name} } from '${importPath(homes.get(name) ?? '')}';`);
  return [...lines, code === '' ? 'export {};' : code, ''].join('\n');
}

/** The part that a schema shares with its copies, such as the one that `optional` makes. */
function coreOf({ properties, enum: words, anyOf, oneOf }: Shape): object | undefined {
  return properties ?? words ?? anyOf ?? oneOf;
}

function typeText(shape: Shape, names: ReadonlyMap<object, string>, indent: string): string {
  const name = shape[typeName] ?? names.get(coreOf(shape) ?? {});
  if (name !== undefined) return name;
  if (shape.const !== undefined) return literal(shape.const);
  if (shape.enum !== undefined) return shape.enum.map(literal).join(' | ');
  const choices = shape.oneOf ?? shape.anyOf;
  if (choices !== undefined) return choices.map((each) => choiceText(each, names, indent)).join(' | ');
  switch (shape.type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return shape.type;
    case 'integer':
      return 'number';
    case 'array': {
      const items = typeText(shape.items ?? {}, names, indent);
      return /^[\w.]+$/.test(items) ? `readonly ${items}[]` : `ReadonlyArray<${items}>`;
    }
    case 'object':
      return mapText(shape, names, indent);
    default:
      throw new Error(`no type for ${JSON.stringify(shape)}: give it a name with loosely()`);
  }
}

/** In a union of maps, each map keeps its description. */
function choiceText(shape: Shape, names: ReadonlyMap<object, string>, indent: string): string {
  const code = typeText(shape, names, indent);
  return code.startsWith('{') && shape.description !== undefined ? `/** ${shape.description} */ ${code}` : code;
}

function mapText(
  { properties, required = [], additionalProperties }: Shape,
  names: ReadonlyMap<object, string>,
  indent: string,
): string {
  const deeper = `${indent}  `;
  if (properties === undefined) {
    const each = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    if (each === undefined) throw new Error('a map without keys needs a schema of its values');
    return `{ readonly [key: string]: ${typeText(each, names, deeper)} }`;
  }
  const keys = Object.entries(properties).map(([key, shape]) => {
    const mark = required.includes(key) ? '' : '?';
    const name = /^\w+$/.test(key) ? key : literal(key);
    return `${docstring(shape.description, deeper)}${deeper}readonly ${name}${mark}: ${typeText(shape, names, deeper)};\n`;
  });
  return `{\n${keys.join('')}${indent}}`;
}

function docstring(description: string | undefined, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description} */\n`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

function relativePath(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}
