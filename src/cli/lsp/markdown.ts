// Describes keys, capabilities, steps and types as Markdown, for hovers and completions.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { inputText, outputText } from '../../contract/signature-text.ts';
import type { StepSpec } from '../../template/step-spec.ts';

export function typeText(schema: JsonObject | undefined): string {
  return schema === undefined ? 'any value' : outputText(schema).replace(/^:(?=\w+$)/, '');
}

/** A key: its description, the values that it takes, its default and an example. */
export function keyText(key: string, schema: JsonObject): string {
  const { description, 'x-expects': expects, default: fallback, examples } = schema;
  const words = wordsOf(schema);
  const lines = [
    `**${key}**`,
    typeof description === 'string' ? description : '',
    words.length > 0 ? `One of ${words.map((word) => `\`${word}\``).join(', ')}.` : '',
    words.length === 0 && typeof expects === 'string' ? `Expects ${expects}.` : '',
    fallback === undefined || isJsonObject(fallback) ? '' : `Default: \`${plainText(fallback)}\``,
    isJsonArray(examples) && examples[0] !== undefined ? `Example: \`${key}: ${plainText(examples[0])}\`` : '',
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

/** The words that a schema allows, also for lists of words. */
export function wordsOf(schema: JsonObject | undefined): readonly string[] {
  const own = ownProperty(schema, 'enum') ?? ownProperty(ownProperty(schema, 'items'), 'enum');
  if (isJsonArray(own)) return own.map(String);
  const pattern = ownProperty(schema, 'pattern');
  const choice = typeof pattern === 'string' ? /^\^\(([\w|]+)\)\$$/.exec(pattern)?.[1] : undefined;
  const words = choice?.split('|') ?? [];
  return ownProperty(schema, 'type') === 'boolean' ? ['true', 'false'] : words;
}

/** A value as one writes it in YAML on one line. */
export function plainText(value: Json): string {
  if (typeof value === 'string') return /^[\w./$ -]+$/.test(value) ? value : JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map(plainText).join(', ')}]`;
  if (!isJsonObject(value)) return String(value);
  if (typeof value.$lisp === 'string') return `!lisp ${value.$lisp}`;
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key}: ${plainText(each)}`)
    .join(', ')} }`;
}

/** The contract of a capability, with its effects. */
export function capabilityText({ name, description, input, output, effects, tags, cost, repeat }: Declaration): string {
  const facts = [
    effects.length === 0 ? 'effects: none' : `effects: ${effects.join(', ')}`,
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
    ...(cost.micro_dollars === undefined ? [] : [`costs about $${(cost.micro_dollars / 1_000_000).toFixed(4)} a call`]),
    ...(repeat === 'never' ? ['is called at most once'] : []),
  ];
  const parameters = parametersText(input);
  return [
    `**${name}**: ${description}`,
    `\`\`\`\n${inputText(input)} -> ${outputText(output)}\n\`\`\``,
    ...(parameters === '' ? [] : [parameters]),
    facts.join('; '),
  ].join('\n\n');
}

function parametersText(input: JsonObject | undefined): string {
  const properties = ownProperty(input, 'properties');
  const required = ownProperty(input, 'required');
  const isNeeded = (key: string): boolean => isJsonArray(required) && required.includes(key);
  return Object.entries(isJsonObject(properties) ? properties : {})
    .map(([key, schema]) => `- \`${key}\`${isNeeded(key) ? '' : ' (optional)'} ${parameterText(schema)}`)
    .join('\n');
}

function parameterText(schema: Json): string {
  if (!isJsonObject(schema)) return '';
  const { description } = schema;
  return `\`${typeText(schema)}\`${typeof description === 'string' ? `: ${description}` : ''}`;
}

/** A parameter of a capability. */
export function parameterHelp(key: string, schema: JsonObject, capability: string): string {
  const { default: fallback } = schema;
  const words = wordsOf(schema);
  const lines = [
    `**${key}** ${parameterText(schema)}`,
    words.length > 0 ? `One of ${words.map((word) => `\`${word}\``).join(', ')}.` : '',
    fallback === undefined ? '' : `Default: \`${plainText(fallback)}\``,
    `Parameter of \`${capability}\``,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

/** A step: its type, its dependencies and its result. */
export function stepText(
  step: Pick<StepSpec, 'name' | 'type' | 'description' | 'dependencies' | 'capability' | 'output'>,
  result: { readonly schema?: JsonObject; readonly optional: boolean } | undefined,
  file: string | undefined,
): string {
  const { name, type, description, dependencies, capability, output } = step;
  const origin = output !== undefined ? 'as `output` says' : capability === undefined ? '' : `from \`${capability}\``;
  const lines = [
    `**${name}** (${type} step${file === undefined ? '' : ` in \`${file}\``})`,
    description ?? '',
    capability === undefined ? '' : `Calls \`${capability}\``,
    dependencies.length === 0 ? '' : `Waits for ${dependencies.map((each) => `\`${each}\``).join(', ')}`,
    `Result: \`${typeText(result?.schema)}\` ${origin}${result?.optional === true ? ', or null when it is skipped' : ''}`.trim(),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}
