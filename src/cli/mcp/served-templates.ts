// Offers templates as MCP tools: each tool has the template's name and its input contract.
import { type Issue, issue } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { isMutating } from '../../contract/declaration.ts';
import type { Template } from '../../template/template.ts';
import { type RunTool, runTools } from './run-tools.ts';

export interface ServedTemplate {
  /** The file's name on the command line. */
  readonly file: string;
  readonly tool: RunTool;
  /** The property of the tool's input that holds the run's input; absent when the whole input is the run's. */
  readonly under?: 'input';
}

/** Issues: MCP_NAME_TAKEN. */
export function servedTemplates(
  templates: readonly { readonly file: string; readonly template: Template }[],
): Result<readonly ServedTemplate[]> {
  const taken = new Map<string, string>(runTools.map(({ name }) => [name, 'the server itself']));
  const issues: Issue[] = [];
  const served = templates.map(({ file, template }) => {
    const { name } = template;
    const tool = toolOf(template);
    const by = taken.get(tool.name);
    if (by !== undefined) issues.push(nameTaken(tool.name, file, by));
    taken.set(tool.name, file);
    const whole = isMap(template.input);
    return { file, tool: { ...tool, title: name }, ...(whole ? {} : { under: 'input' as const }) };
  });
  return issues.length > 0 ? bad(issues) : good(served);
}

function toolOf({ name, description, input = {}, capabilities }: Template): RunTool {
  const whole = isMap(input);
  return {
    name: name.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 64),
    description: `${description ?? `Run the template ${name}.`} Answers the run's id, and its result if the run ends soon; run_result waits for its end.`,
    inputSchema: whole
      ? { ...input, type: 'object' }
      : { type: 'object', required: ['input'], properties: { input }, additionalProperties: false },
    annotations: { readOnlyHint: !Object.values(capabilities).some(isMutating), idempotentHint: false },
  };
}

/** A tool accepts only a map of arguments. */
function isMap(input: JsonObject | undefined): boolean {
  return input === undefined || input.type === undefined || input.type === 'object';
}

function nameTaken(name: string, file: string, by: string): Issue {
  return issue('MCP_NAME_TAKEN', `the template in ${file} would be the tool "${name}", which ${by} has`, {
    hint: 'give the template another name, or leave one of them out',
  });
}
