// The third stage: a shaped document to the template's words, with the parts that stand; the checks come after.
import type { Issue, PathPart } from '../base/issue.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { readSize } from '../base/quantity.ts';
import type { Declaration } from '../contract/declaration.ts';
import { readRunBudget } from './keys/budget.ts';
import { readEffects } from './keys/effects.ts';
import { readLockSetting } from './keys/lock.ts';
import { readMissing } from './keys/missing.ts';
import { workPatterns } from './keys/pattern.ts';
import { choiceAt, defined, flagAt, mapAt, numberAt, quantityAt, textAt, wordsAt } from './keys/readers.ts';
import { checkSources, readSources } from './keys/source.ts';
import { readAgents } from './resolve/agent.ts';
import { foldTemplate } from './resolve/aliases.ts';
import { bindSteps } from './resolve/bind.ts';
import { readConcurrency } from './resolve/concurrency.ts';
import { readSchema } from './resolve/contract.ts';
import { readCritic } from './resolve/critic.ts';
import { readUnknownOutcome } from './resolve/gate.ts';
import { readHttp } from './resolve/http.ts';
import { resolveLispLimits } from './resolve/limits.ts';
import { type KnownModels, readEmbeddings, readModels } from './resolve/model.ts';
import { readSkills } from './resolve/skill.ts';
import { readContext, resolveStep, type Surroundings } from './resolve/step.ts';
import type { StepSpec } from './step-spec.ts';
import type { Template } from './template.ts';
import { usesOfValue } from './uses.ts';

/** A shaped document. Paths of its issues begin at its root. */
export interface Source {
  readonly file: string;
  readonly value: Json;
}

/** Where a resolved step was written: which source, which of its steps. */
interface Origin {
  readonly source: number;
  readonly index: number;
}

interface PlacedIssue {
  readonly source: number;
  readonly issue: Issue;
}

export interface Resolution {
  readonly template: Omit<Template, 'digest'>;
  /** One for each step of the template. */
  readonly origins: readonly Origin[];
  readonly issues: readonly PlacedIssue[];
}

const RESULT_BYTES = 10_000_000;

/** The first source is the template, the others are what it includes; their steps follow its own. */
export function resolveTemplate(
  [main, ...included]: readonly [Source, ...Source[]],
  declarations: Readonly<Record<string, Declaration>>,
  known: KnownModels,
): Resolution {
  const raw = isJsonObject(main.value) ? foldTemplate(main.value) : {};
  const issues: PlacedIssue[] = [];
  const note = (source: number, found: readonly Issue[]) => {
    issues.push(...found.map((issue) => ({ source, issue })));
  };
  note(0, checkSources(raw));
  const documents = [main, ...included].map(({ value }) => (isJsonObject(value) ? value : {}));
  const budget = mapAt(raw, 'budget') ?? {};
  const runBudget = readRunBudget(budget);
  const planners = mapAt(raw, 'planners') ?? {};
  const steps: StepSpec[] = [];
  const origins: Origin[] = [];
  [main, ...included].forEach((source, number) => {
    for (const { step, index, found } of stepsOf(source, { maxWidth: runBudget.fanOut, planners, declarations })) {
      note(number, found);
      if (step === undefined) continue;
      steps.push(step);
      origins.push({ source: number, index });
    }
  });
  const models: Template['models'] = Object.assign({}, ...documents.map((each) => readModels(each.models, known)));
  const agents: Template['agents'] = Object.assign(
    {},
    ...documents.map((each, source) => {
      const found: Issue[] = [];
      const read = readAgents(each.agents, found);
      note(source, found);
      return read;
    }),
  );
  const skills = documents.flatMap((each) => readSkills(each.skills));
  const context = readContext(mapAt(raw, 'context') ?? {});
  const limits = mapAt(raw, 'limits') ?? {};
  const repair = readRepair(raw, planners, (found) => note(0, found));
  const { output } = raw;
  if (output !== undefined) note(0, usesOfValue(output, ['output'], 'output').issues);
  const template = defined<Omit<Template, 'digest'>>({
    language: 1,
    name: textAt(raw, 'name') ?? '',
    version: raw.version === undefined ? undefined : String(raw.version),
    description: textAt(raw, 'description'),
    metadata: mapAt(raw, 'metadata'),
    file: main.file,
    input: readInput(raw, (found) => note(0, found)),
    output,
    budget: runBudget,
    budgetKeys: Object.keys(budget),
    context: { strategy: 'contract', maxTokens: 4_000, ...context },
    constraints: wordsAt(raw, 'constraints'),
    contextTags: wordsAt(raw, 'context_tags'),
    concurrency: readConcurrency(mapAt(raw, 'concurrency') ?? {}),
    failFast: flagAt(raw, 'fail_fast') ?? false,
    unknownOutcome: readUnknownOutcome(raw.on_unknown_outcome),
    lock: readLockSetting(raw.lock),
    missing: readMissing(raw),
    captureContent: flagAt(raw, 'capture_content') === true ? true : undefined,
    ...readCritic(raw),
    askBelow: numberAt(raw, 'ask_below'),
    pattern: choiceAt(raw, 'pattern', ['auto', ...workPatterns]),
    learning: flagAt(raw, 'learning') === false ? false : undefined,
    http: readHttp(mapAt(raw, 'http'), (found) => note(0, found)),
    effects: readEffects(mapAt(raw, 'effects')),
    roots: wordsAt(raw, 'roots'),
    limits: {
      lisp: resolveLispLimits(mapAt(limits, 'lisp') ?? {}),
      resultBytes: quantityAt(limits, 'result_bytes', readSize) ?? RESULT_BYTES,
    },
    sources: readSources(raw),
    capabilities: declarations,
    models,
    embeddings: readEmbeddings(raw.embeddings, known),
    allowsUnpriced: budget.unpriced === 'allow' ? true : undefined,
    agents,
    skills,
    steps: bindSteps(steps),
    repair,
  });
  return { template, origins, issues };
}

function* stepsOf(
  { value }: Source,
  around: Surroundings,
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

function readInput(raw: JsonObject, note: (found: readonly Issue[]) => void): JsonObject | undefined {
  if (raw.input === undefined) return undefined;
  const read = readSchema(raw.input);
  if (read.ok) return read.value;
  note(read.error.map((each) => ({ ...each, path: ['input', ...each.path] })));
  return undefined;
}

/** As if the author had written it among the steps. */
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
