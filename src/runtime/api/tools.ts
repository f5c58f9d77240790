// Tools as a program hands them over, a text for planners and a function for runs, made into capabilities.
import { type Issue, issue } from '../../base/issue.ts';
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { type CallContext, type Capability, defineCapability } from '../../capabilities/capability.ts';

/** Takes what planners were told, and answers a value or a promise of one. */
export type Tool = {
  /** A method, so that a function may say more closely what it takes. */
  take(input: JsonObject, ctx: CallContext): Json | Promise<Json>;
}['take'];

export interface Tools {
  /**
   * Describes each tool to planners, by its name: `Fetch a price. Input: {symbol}. Output: {symbol, price :float}`. The
   * text after `Input:` and `Output:` is the tool's contract, a signature whose fields may go without a type.
   */
  readonly availableTools?: Readonly<Record<string, string>>;
  /** The functions behind the tools. Their effect is `network`: they need no approval, and may run again after a crash. */
  readonly baseTools?: Readonly<Record<string, Tool>>;
  /** Capabilities with contracts and effects of their own; they go before base tools of the same name. */
  readonly registry?: readonly Capability[];
}

/**
 * Makes capabilities of these tools for an engine or a template. Issues: CAPABILITY_UNKNOWN for a described tool that is
 * neither here nor among the `known` names; those of contracts and names.
 */
export function toolCapabilities(
  { availableTools = {}, baseTools = {}, registry = [] }: Tools,
  known: readonly string[] = [],
): Result<readonly Capability[]> {
  const registered = new Set(registry.map(({ declaration }) => declaration.name));
  const made = Object.entries(baseTools)
    .filter(([name]) => !registered.has(name))
    .map(([name, tool]) => capabilityOf(name, availableTools[name] ?? name.replaceAll(/[._]/g, ' '), tool));
  const callable = [...registered, ...Object.keys(baseTools), ...known];
  const issues = [
    ...made.flatMap((each) => each.issues),
    ...Object.keys(availableTools).flatMap((name) => (callable.includes(name) ? [] : [uncallable(name, callable)])),
  ];
  return issues.length > 0 ? bad(issues) : good([...registry, ...made]);
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

/** Takes the contracts out of the text; words behind `Input:` that are no signature stay in it. */
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

/** Where the bracket that opens here is closed, or the word ends. */
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

/** `{symbol, price :float}`: a field without a type may be anything. */
function withTypes(signature: string): string {
  return signature.replaceAll(/([{,]\s*)([A-Za-z_]\w*)(\??)(?=\s*[,}])/g, '$1$2 :any$3');
}

function uncallable(name: string, callable: readonly string[]): Issue {
  const hint = didYouMean(name, callable) ?? 'give its function in baseTools, or the capability in registry';
  return issue('CAPABILITY_UNKNOWN', `the tool "${name}" is told of, and there is nothing to call`, { hint });
}
