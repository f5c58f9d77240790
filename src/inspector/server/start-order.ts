// Reads the settings of a start as a page posts them, and says what such a run may use.
import { type Issue, issue } from '../../base/issue.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { defined } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { fieldsOf } from '../../contract/describe-contract.ts';
import { readTextValue } from '../../goals/ask/read-text.ts';
import type { Engine, StartOptions } from '../../runtime/api/engine.ts';
import { chosenTemplate } from '../../runtime/begin/chosen-template.ts';
import { acceptInput } from '../../runtime/load/run-input.ts';
import type { Template } from '../../template/template.ts';
import { limitsText } from '../../view/explanation.ts';
import type { BoundReply, BoundRequest } from '../wire.schema.ts';
import { type Project, projectFile } from './start-form.ts';

interface FoundStart {
  readonly template: Template;
  readonly choices: Pick<StartOptions, 'budget' | 'raise' | 'models' | 'planners'>;
}

export interface ReadStart extends FoundStart {
  readonly input: Json;
}

/** Limits may be looser than those of the template, because a person typed them. */
async function findStart(engine: Engine, project: Project, asked: BoundRequest): Promise<Result<FoundStart>> {
  const file = projectFile(project, asked.file);
  if (!file.ok) return file;
  const loaded = await engine.load(file.value, { environment: asked.environment });
  if (!loaded.ok) return loaded;
  const [budget, models, planners] = [asked.budget, asked.models, asked.planners].map(filledIn);
  return good({ template: loaded.value, choices: { raise: true, ...defined({ budget, models, planners }) } });
}

/** Issues: INPUT_INVALID, TEMPLATE_NOT_IN_PROJECT, and those of templates. */
export async function readStart(engine: Engine, project: Project, asked: BoundRequest): Promise<Result<ReadStart>> {
  const found = await findStart(engine, project, asked);
  if (!found.ok) return found;
  const input = readInput(found.value.template, asked);
  return input.ok ? good({ ...found.value, input: input.value }) : input;
}

/** The lines of `reconverge explain` about what a run may use, ask and touch, with the issues of the input. */
export async function boundOfStart(engine: Engine, project: Project, asked: BoundRequest): Promise<BoundReply> {
  const found = await findStart(engine, project, asked);
  if (!found.ok) return { ok: false, issues: found.error };
  const { template, choices } = found.value;
  const chosen = await chosenTemplate(template, choices);
  if (!chosen.ok) return { ok: false, issues: chosen.error };
  const input = readInput(template, asked);
  const accepted = input.ok ? acceptInput(chosen.value, input.value) : input;
  return { ok: true, lines: limitsText(chosen.value), issues: accepted.ok ? [] : accepted.error.map(asTyped) };
}

/** Hints about flags of the command line do not help at a page. */
export function asTyped({ hint, ...found }: Issue): Issue {
  return found.code === 'INPUT_INVALID' || hint === undefined ? found : { ...found, hint };
}

function filledIn(texts: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(texts ?? {}).map(([key, text]) => [key, text.trim()] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== ''));
}

function readInput({ input: contract }: Template, { fields = {}, text = '' }: BoundRequest): Result<Json> {
  const declared = contract === undefined ? [] : fieldsOf(contract);
  if (declared.length === 0) {
    if (text.trim() === '') return good({});
    const value = readTextValue(text, contract ?? {});
    return value === undefined ? bad([broken(['input'])]) : good(value);
  }
  const input: Record<string, Json> = {};
  const issues: Issue[] = [];
  for (const { name, schema } of declared) {
    const typed = fields[name] ?? '';
    if (typed.trim() === '') continue;
    const value = readTextValue(typed, schema);
    if (value === undefined) issues.push(broken(['input', name]));
    else input[name] = value;
  }
  return issues.length > 0 ? bad(issues) : good(input satisfies JsonObject);
}

function broken(path: readonly string[]): Issue {
  return issue('INPUT_INVALID', 'it begins as JSON, and is none', { path });
}
