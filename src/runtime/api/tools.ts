// Makes capabilities of the tools of a program: a text for planners and a function for runs.
import { type Issue, issue } from '../../base/issue.ts';
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { type OptionTable, optionIssues } from '../../base/options.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { type CallContext, type Capability, defineCapability } from '../../capabilities/capability.ts';
import { capabilityNameOf } from '../../contract/tool-name.ts';

/** Takes the input that its description tells planners, and returns a value or a promise of one. */
export type Tool = {
  /** A method, so that functions may narrow the type of their input. */
  take(input: JsonObject, ctx: CallContext): Json | Promise<Json>;
}['take'];

export interface Tools {
  /**
   * Describes each tool to planners, by its name: `Fetch a price. Input: {symbol}. Output: {symbol, price :float}`. The
   * text after `Input:` and `Output:` is the tool's contract, a signature whose fields may go without a type. A name as
   * public lists have it, such as `Text-to-Speech`, becomes the capability `text_to_speech`; plans may use both names.
   */
  readonly availableTools?: Readonly<Record<string, string>>;
  /** The functions behind the tools. Their effect is `network`: they need no approval, and may run again after a crash. */
  readonly baseTools?: Readonly<Record<string, Tool>>;
  /** Capabilities with contracts and effects of their own. They replace base tools of the same name. */
  readonly registry?: readonly Capability[];
}

export const toolOptions: OptionTable<Tools> = { availableTools: 'map', baseTools: 'map', registry: 'list' };

/**
 * Makes capabilities for an engine or a template. Issues: CAPABILITY_UNKNOWN for a described tool that has no function and
 * is not among the `known` names, CAPABILITY_DUPLICATE for two tools whose names become one, OPTION_UNKNOWN, and those of contracts.
 */
export function toolCapabilities(tools: Tools, known: readonly string[] = []): Result<readonly Capability[]> {
  const wrong = optionIssues('toolCapabilities', tools, toolOptions);
  if (wrong.length > 0) return bad(wrong);
  const { availableTools = {}, baseTools = {}, registry = [] } = tools;
  const registered = new Set(registry.map(({ declaration }) => declaration.name));
  const told = new Map(Object.entries(availableTools).map(([name, text]) => [capabilityNameOf(name), text]));
  const made = Object.entries(baseTools)
    .filter(([tool]) => !registered.has(capabilityNameOf(tool)))
    .map(([tool, run]) => {
      const name = capabilityNameOf(tool);
      return capabilityOf(name, told.get(name) ?? tool.replaceAll(/[._]/g, ' '), run);
    });
  const callable = new Set([...registered, ...Object.keys(baseTools).map(capabilityNameOf), ...known]);
  const issues = [
    ...repeated(Object.keys(availableTools)),
    ...repeated(Object.keys(baseTools)),
    ...made.flatMap((each) => each.issues),
    ...Object.keys(availableTools).flatMap((tool) =>
      callable.has(capabilityNameOf(tool)) ? [] : [uncallable(tool, [...callable])],
    ),
  ];
  return issues.length > 0 ? bad(issues) : good([...registry, ...made]);
}

/** An issue for each tool whose name becomes the same as that of a tool before it. */
function repeated(tools: readonly string[]): readonly Issue[] {
  return tools.flatMap((tool, index) => {
    const name = capabilityNameOf(tool);
    const first = tools.slice(0, index).find((other) => capabilityNameOf(other) === name);
    if (first === undefined) return [];
    const message = `the tools "${first}" and "${tool}" both become the capability "${name}"`;
    return [issue('CAPABILITY_DUPLICATE', message, { hint: 'rename one of them' })];
  });
}

function capabilityOf(name: string, told: string, tool: Tool): Capability {
  const { input, output, description } = readTool(told);
  return defineCapability({
    name,
    description,
    ...defined({ input, output }),
    effects: ['network'],
    run: (given, ctx) => tool(given as JsonObject, ctx),
  });
}

interface ToolSignature {
  readonly description: string;
  readonly input?: string;
  readonly output?: string;
}

/** Moves the contracts out of the text. Words after `Input:` that are not a signature stay in the text. */
function readTool(told: string): ToolSignature {
  let description = told;
  const side = (label: string): string | undefined => {
    const start = new RegExp(`\\s*\\b${label}:\\s*(?=[[{(:])`, 'i').exec(description);
    if (start === null) return undefined;
    const from = start.index + start[0].length;
    const end = endOf(description, from);
    const signature = description.slice(from, end);
    description = description.slice(0, start.index) + description.slice(end).replace(/^\s*[.;,]/, '');
    return withTypes(signature);
  };
  const input = side('input');
  const output = side('output');
  return {
    description: description.trim(),
    ...defined({ input, output }),
  };
}

/** The index after the closing bracket, or after the word, that begins at `from`. */
function endOf(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if ('{[('.includes(character)) depth += 1;
    if ('}])'.includes(character)) depth -= 1;
    if (depth === 0 && /[}\])]/.test(character)) return at + 1;
    if (depth === 0 && /[\s.;]/.test(character)) return at;
  }
  return text.length;
}

/** Adds the type `any` to fields without a type: `{symbol, price :float}` → `{symbol :any, price :float}`. */
function withTypes(signature: string): string {
  return signature.replaceAll(/([{,]\s*)([A-Za-z_]\w*)(\??)(?=\s*[,}])/g, '$1$2 :any$3');
}

function uncallable(name: string, callable: readonly string[]): Issue {
  const hint = didYouMean(name, callable) ?? 'give its function in baseTools, or the capability in registry';
  return issue('CAPABILITY_UNKNOWN', `the tool "${name}" is described, but it has no function`, { hint });
}
