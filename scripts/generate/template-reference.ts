// Writes docs/reference/template: every key of the template language, a page for each group of keys, from the schema.
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../src/base/json.ts';
import { stepBudget } from '../../src/template/keys/budget.ts';
import { sharedSchemas, templateProperties } from '../../src/template/schema/template.ts';
import { anchorOf, cell, type Pages, page } from './pages.ts';

type Properties = Readonly<Record<string, JsonObject>>;

/** The keys of one map. A map that occurs in several places is one block. */
interface Block {
  /** `models.*.prices`; empty for the top of a template. */
  readonly path: string;
  readonly file: string;
  readonly properties: Properties;
}

/** The pages by the first key of the blocks on them; the page `run` has the others. */
const files: Readonly<Record<string, string>> = {
  models: 'models',
  embeddings: 'models',
  planners: 'planners',
  repair: 'planners',
  agents: 'agents',
  skills: 'agents',
  capabilities: 'capabilities',
  budget: 'budget',
  steps: 'steps',
  environments: 'environments',
};

const titles: Readonly<Record<string, string>> = {
  models: 'Models',
  planners: 'Planners',
  agents: 'Agents and skills',
  capabilities: 'Capabilities',
  budget: 'Budget',
  steps: 'Steps',
  environments: 'Environments',
  run: 'Settings of a run',
};

const INTRODUCTION = `# The keys of a template

A key that is not known is an error. \`schemas/template.schema.json\` has the same descriptions for editors. Values may hold
references (\`{{ input.x }}\`, \`{{ results.step.path.0 }}\`, \`{{ depends.step.path }}\`, \`{{ convergence.failed }}\`, \`{{ run.id }}\`)
and [Lisp](../lisp/README.md) (\`!lisp (…)\`, in JSON \`{"$lisp": "(…)"}\`). A text in quotes stands for itself: \`{{ "{{" }}\` writes two braces.
`;

export function templateReference(): Pages {
  const blocks = blocksOf();
  const pages = [...Map.groupBy([...blocks.values()], ({ file }) => file)]
    .filter(([file]) => file !== 'README')
    .map(([file, own]) => [
      `template/${file}.md`,
      page(
        `# ${titles[file]}`,
        '',
        'Keys of a [template](README.md).',
        '',
        ...own.map((block) => section(block, blocks)),
      ),
    ]);
  const top = { path: '', file: 'README', properties: templateProperties };
  return { 'template/README.md': page(INTRODUCTION, table(top, blocks)), ...Object.fromEntries(pages) };
}

/** Every block once, by its content, in the order of the keys. */
function blocksOf(): ReadonlyMap<string, Block> {
  const blocks = new Map<string, Block>();
  const visit = (properties: Properties, holder: string): void => {
    for (const [key, schema] of Object.entries(properties)) {
      for (const { path, inner } of innerOf(schema, holder === '' ? key : `${holder}.${key}`)) {
        if (blockOf(blocks, inner, path) !== undefined) continue;
        blocks.set(JSON.stringify(inner), { path, file: files[path.split('.')[0] ?? ''] ?? 'run', properties: inner });
        visit(inner, path);
      }
    }
  };
  const ofSteps = objectsIn(stepBudget.schema.properties);
  blocks.set(JSON.stringify(ofSteps), { path: 'steps.*.budget', file: 'budget', properties: ofSteps });
  visit(templateProperties, '');
  return blocks;
}

/** The block with these keys. Overlays have fewer keys than the maps that they change, whose blocks describe them. */
function blockOf(blocks: ReadonlyMap<string, Block>, inner: Properties, path: string): Block | undefined {
  const changed = path.replace(/^environments\.\*\./, '');
  const same = blocks.get(JSON.stringify(inner));
  return same ?? (changed === path ? undefined : [...blocks.values()].find((block) => block.path === changed));
}

/** The keys inside a key: its own, and those of its entries, whose path ends with `*`. */
function innerOf(schema: JsonObject, path: string): readonly { readonly path: string; readonly inner: Properties }[] {
  if (typeof schema['x-alias'] === 'string' || isLispSchema(schema)) return [];
  const whole = resolved(schema);
  const entries = isJsonObject(whole.additionalProperties) ? whole.additionalProperties : whole.items;
  const found = [
    { path, inner: objectsIn(whole.properties) },
    {
      path: `${path}.*`,
      inner: isJsonObject(entries) && !isLispSchema(entries) ? objectsIn(resolved(entries).properties) : {},
    },
  ];
  return found.filter(({ inner }) => Object.keys(inner).length > 0);
}

/** The schema with the shared one that it refers to. */
function resolved(schema: JsonObject): JsonObject {
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace('#/$defs/', '') : undefined;
  const shared = name === undefined ? undefined : ownProperty(sharedSchemas, name);
  return isJsonObject(shared) ? { ...shared, ...schema } : schema;
}

function section(block: Block, blocks: ReadonlyMap<string, Block>): string {
  return `## \`${block.path}\`\n\n${table(block, blocks)}`;
}

function table(block: Block, blocks: ReadonlyMap<string, Block>): string {
  const rows = Object.entries(block.properties).map(([key, schema]) => {
    const path = block.path === '' ? key : `${block.path}.${key}`;
    const links = innerOf(schema, path).flatMap((found) => {
      const held = blockOf(blocks, found.inner, found.path);
      return held === undefined ? [] : [` Keys: ${linkTo(held, block.file)}.`];
    });
    return `| \`${key}\` | ${takes(schema)}${fallback(schema)} | ${cell(description(schema))}${example(schema)}${links.join('')} |`;
  });
  return `| key | takes | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function linkTo({ path, file }: Block, from: string): string {
  return `[\`${path}\`](${file === from ? '' : `${file}.md`}#${anchorOf(path)})`;
}

function takes(schema: JsonObject): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((word: Json) => `\`${String(word)}\``).join(' ');
  if (typeof schema['x-expects'] === 'string') return cell(schema['x-expects']);
  if (schema.type === undefined) return schema.$ref === undefined ? 'anything' : 'a map';
  const names: Record<string, string> = {
    object: 'a map',
    array: 'a list',
    string: 'text',
    integer: 'a whole number',
    number: 'a number',
    boolean: '`true` or `false`',
  };
  const types: readonly Json[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map((type) => names[String(type)] ?? String(type)).join(' or ');
}

function fallback(schema: JsonObject): string {
  return schema.default === undefined ? '' : `; default \`${String(schema.default)}\``;
}

function example(schema: JsonObject): string {
  const first = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  return first === undefined
    ? ''
    : ` For example \`${cell(typeof first === 'string' ? first : JSON.stringify(first))}\`.`;
}

function description(schema: JsonObject): string {
  const { description } = resolved(schema);
  return typeof description === 'string' ? description : '';
}

function isLispSchema(schema: JsonObject): boolean {
  return isJsonObject(schema.properties) && Object.hasOwn(schema.properties, '$lisp');
}

function objectsIn(value: Json | undefined): Properties {
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value).flatMap(([key, each]) => (isJsonObject(each) ? [[key, each] as const] : []));
  return Object.fromEntries(entries);
}
