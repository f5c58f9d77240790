// The third stage of loading: resolves shaped documents into one template; the checks follow.
import type { Issue, PathPart } from '../base/issue.ts';
import { defined, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Declaration } from '../contract/declaration.ts';
import { agents, skills } from './keys/agent.ts';
import { readRunBudget } from './keys/budget.ts';
import { readKeys } from './keys/key.ts';
import { type KnownModels, readEmbeddings, readModels } from './keys/model.ts';
import { mapAt } from './keys/readers.ts';
import { checkSources, readSources } from './keys/source.ts';
import { foldTemplate } from './resolve/aliases.ts';
import { bindSteps } from './resolve/bind.ts';
import { type ResolveOptions, resolveStep } from './resolve/step.ts';
import { templateKeys } from './schema/template.ts';
import { referencesOfValue } from './step-references.ts';
import type { StepSpec } from './step-spec.ts';
import type { Template } from './template.ts';

/** A document without invalid parts. Paths of its issues begin at its root. */
export interface SourceDocument {
  readonly file: string;
  readonly value: Json;
}

/** The document of a resolved step, and its index there. */
interface StepOrigin {
  readonly source: number;
  readonly index: number;
}

interface SourceIssue {
  readonly source: number;
  readonly issue: Issue;
}

export interface Resolution {
  readonly template: Omit<Template, 'digest'>;
  /** The origin of each step of the template. */
  readonly origins: readonly StepOrigin[];
  readonly issues: readonly SourceIssue[];
}

/** The first document is the template, the others are its included files, whose steps follow. */
export function resolveTemplate(
  [main, ...included]: readonly [SourceDocument, ...SourceDocument[]],
  declarations: Readonly<Record<string, Declaration>>,
  known: KnownModels,
): Resolution {
  const raw = isJsonObject(main.value) ? foldTemplate(main.value) : {};
  const issues: SourceIssue[] = [];
  const note = (source: number, found: readonly Issue[]) => {
    issues.push(...found.map((issue) => ({ source, issue })));
  };
  note(0, checkSources(raw));
  const documents = [main, ...included].map(({ value }) => (isJsonObject(value) ? value : {}));
  const budget = mapAt(raw, 'budget') ?? {};
  const runBudget = readRunBudget(budget);
  const planners = mapAt(raw, 'planners') ?? {};
  const steps: StepSpec[] = [];
  const origins: StepOrigin[] = [];
  [main, ...included].forEach((source, number) => {
    for (const { step, index, found } of stepsOf(source, { maxWidth: runBudget.fanOut, planners, declarations })) {
      note(number, found);
      if (step === undefined) continue;
      steps.push(step);
      origins.push({ source: number, index });
    }
  });
  const repair = readRepair(raw, planners, (found) => note(0, found));
  const found: Issue[] = [];
  const read = readKeys(templateKeys, raw, found);
  note(0, found);
  if (read.output !== undefined) note(0, referencesOfValue(read.output, ['output'], 'output').issues);
  const { critic, ...kept } = read;
  const template: Omit<Template, 'digest'> = {
    language: 1,
    ...kept,
    ...critic,
    ...readShared(documents, known, note),
    file: main.file,
    budget: runBudget,
    budgetKeys: Object.keys(budget),
    sources: readSources(raw),
    capabilities: declarations,
    steps: bindSteps(steps),
    ...defined({
      embeddings: readEmbeddings(raw.embeddings, known),
      allowsUnpriced: budget.unpriced === 'allow' ? (true as const) : undefined,
      repair,
    }),
  };
  return { template, origins, issues };
}

/** Reads the keys that included files may have too; the last of two declarations with one name counts. */
function readShared(
  documents: readonly JsonObject[],
  known: KnownModels,
  note: (source: number, found: readonly Issue[]) => void,
): Pick<Template, 'models' | 'agents' | 'skills'> {
  const agentsOf = (document: JsonObject, source: number) => {
    const found: Issue[] = [];
    const read = agents.read(document.agents, found);
    note(
      source,
      found.map((each) => ({ ...each, path: ['agents', ...each.path] })),
    );
    return read;
  };
  return {
    models: Object.assign({}, ...documents.map((each) => readModels(each.models, known))),
    agents: Object.assign({}, ...documents.map(agentsOf)),
    skills: documents.flatMap((each) => skills.read(each.skills, []) ?? []),
  };
}

function* stepsOf(
  { value }: SourceDocument,
  around: ResolveOptions,
): Iterable<{ step: StepSpec | undefined; index: number; found: readonly Issue[] }> {
  const list = isJsonObject(value) ? value.steps : undefined;
  if (!Array.isArray(list)) return;
  for (const [index, written] of list.entries()) {
    if (!isJsonObject(written)) continue;
    const at: readonly PathPart[] = ['steps', index];
    const { step, issues } = resolveStep(written, at, around);
    yield { step, index, found: issues };
  }
}

/** Reads the repair planner like an authored planning step. */
function readRepair(
  raw: JsonObject,
  planners: JsonObject,
  note: (found: readonly Issue[]) => void,
): StepSpec | undefined {
  const written = mapAt(raw, 'repair');
  if (written === undefined) return undefined;
  const { step, issues } = resolveStep({ ...written, name: 'repair', type: 'planning' }, ['repair'], { planners });
  note(issues);
  return step;
}
