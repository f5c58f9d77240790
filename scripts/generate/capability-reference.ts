// Writes docs/reference/capabilities: every capability of the built-in catalog, from its declaration.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { byNameOnly, catalog } from '../../src/capabilities/catalog/catalog.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { anchorOf, cell, type Pages, page } from './pages.ts';

const INTRODUCTION = `# The built-in catalog

A template grants all of it with \`capabilities: [catalog]\`, or some of it by name: \`capabilities: [files.list, csv.read]\`; a
planning step narrows that with \`allow\` and \`deny\`. Capabilities marked * are granted only by their names.

File capabilities reach the folders in \`roots:\` only, symbolic links resolved. Web capabilities reach the addresses that
\`http:\` allows. A person must approve a planned call with one of the effects filesystem, system,
write or delete ([Gates](../../gates.md)). \`?\` marks a field that may be left out.
`;

const named = new Set(byNameOnly.map(({ declaration }) => declaration.name));

/** A page of the whole catalog, and one for each family, such as `files`. */
export function capabilityReference(): Pages {
  const declarations = [...catalog, ...byNameOnly].map(({ declaration }) => declaration);
  const families = Map.groupBy(declarations, familyOf);
  const pages = [...families].map(([family, members]) => [
    `capabilities/${family}.md`,
    page(`# ${family}`, '', 'Capabilities of the [built-in catalog](README.md).', '', ...members.map(section)),
  ]);
  return { 'capabilities/README.md': page(INTRODUCTION, overview(declarations)), ...Object.fromEntries(pages) };
}

function familyOf({ name }: Declaration): string {
  return name.split('.')[0] ?? name;
}

function overview(declarations: readonly Declaration[]): string {
  const rows = declarations.map((each) => {
    const link = `[\`${each.name}\`](${familyOf(each)}.md#${anchorOf(each.name)})${named.has(each.name) ? ' *' : ''}`;
    return `| ${link} | ${each.effects.join(', ')} | ${cell(each.description)} |`;
  });
  return `| capability | effects | does |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function section({ name, description, effects, input, output }: Declaration): string {
  return `## ${name}\n\n${description} Effects: ${effects.join(', ')}.\n\n${fields('takes', input)}\n${fields('answers', output)}`;
}

function fields(title: string, schema: JsonObject | undefined): string {
  const rows = schema === undefined ? [] : rowsOf(schema, '');
  if (rows.length === 0) return `${title[0]?.toUpperCase()}${title.slice(1)} any value.\n`;
  return `| ${title} | type | |\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** Nested fields follow their parent: `columns[].name`. */
function rowsOf(schema: JsonObject, holder: string): readonly string[] {
  const required: Json = schema.required ?? [];
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).flatMap(([key, field]) => {
    if (!isJsonObject(field)) return [];
    const optional = isJsonArray(required) && required.includes(key) ? '' : '?';
    const row = `| \`${holder}${key}${optional}\` | ${typeText(field)} | ${descriptionOf(field.description)} |`;
    const items = isJsonObject(field.items) ? rowsOf(field.items, `${holder}${key}[].`) : [];
    return [row, ...rowsOf(field, `${holder}${key}.`), ...items];
  });
}

function typeText(schema: JsonObject): string {
  if (isJsonArray(schema.enum)) return schema.enum.map((value) => `\`${String(value)}\``).join(' ');
  if (isJsonArray(schema.anyOf))
    return schema.anyOf.map((each) => (isJsonObject(each) ? typeText(each) : '')).join(' or ');
  if (schema.type === 'array' && isJsonObject(schema.items)) return `list of ${typeText(schema.items)}`;
  if (schema.type === undefined) return 'any';
  const names: Record<string, string> = { object: 'map', array: 'list', integer: 'int' };
  const types: readonly Json[] = isJsonArray(schema.type) ? schema.type : [schema.type];
  return types.map((type) => names[String(type)] ?? String(type)).join(' or ');
}

function descriptionOf(text: Json | undefined): string {
  return typeof text === 'string' ? cell(text) : '';
}
