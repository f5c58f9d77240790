// Given-when-then tests of templates, without IO, waiting or randomness.
import type { Issue } from '../base/issue.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { type OptionTable, refuseOptions } from '../base/options.ts';
import type { Result } from '../base/result.ts';
import { createRegistry } from '../capabilities/registry.ts';
import type { CallCapability } from '../engine/record/effect.ts';
import type { Recorded } from '../engine/record/event.schema.ts';
import type { RunOrder } from '../engine/record/order.schema.ts';
import type { Price } from '../model/price.ts';
import type { ModelRequest } from '../model/request.ts';
import { capabilitiesWith, type Definition, type TypedTemplate } from '../runtime/api/define-template.ts';
import type { RunReport } from '../runtime/api/run-report.ts';
import { toolCapabilities } from '../runtime/api/tools.ts';
import { reportOf } from '../runtime/drive/report-of.ts';
import { acceptInput } from '../runtime/load/run-input.ts';
import { answerIn, decisionBy } from '../runtime/order/answer-gates.ts';
import { renderIssues } from '../template/diagnostic.ts';
import { loadTemplate } from '../template/load.ts';
import { parseJson } from '../template/parse/parse-json.ts';
import type { Template } from '../template/template.ts';
import { statusText } from '../view/status.ts';
import { performing, type Setting } from './setting.ts';
import { type GateAnswer, World } from './world.ts';

export interface Situation<Input extends Json = Json, Output extends Json = Json> {
  readonly template: Template;
  /**
   * Runs the template synchronously until it ends or waits for people; deterministic. Throws for wrong input, and when the
   * setting has no answer for a request of the run.
   */
  when(input?: Input): RunAtRest<Output>;
}

/** A run that has ended or waits. */
export interface RunAtRest<Output extends Json = Json> {
  readonly report: RunReport<Output>;
  readonly events: readonly Recorded[];
  /** The status of each step by id, such as `completed` or `skipped (budget)`. */
  readonly steps: Readonly<Record<string, string>>;
  /** Results by step id. */
  readonly results: JsonObject;
  /** The calls of capabilities, in order. */
  readonly calls: readonly Pick<CallCapability, 'step' | 'capability' | 'input'>[];
  /** The requests to models, in order. */
  readonly asked: readonly ModelRequest[];
  /** Continues this run with an order such as a review or a raised budget. Throws when the order is refused. */
  when(order: RunOrder): RunAtRest<Output>;
}

const settingTable: OptionTable<Setting> = {
  availableTools: 'map',
  registry: 'list',
  capabilities: 'map',
  steps: 'map',
  plans: 'map',
  models: 'any',
  answers: 'map',
  environment: 'text',
};

/**
 * Takes a document with the capabilities of the setting, or a template that an engine has loaded. Only the outside world is
 * replaced: checks, planners, budgets, retries and gates are real. Throws the issues of the template.
 *
 *     const run = given(template, { capabilities: { look_up: { price: 3 } } }).when({ symbol: 'A' });
 *     expect(run.report.output).toBe(3);
 */
export function given<Input extends Json = Json, Output extends Json = Json>(
  template: Definition<Input, Output> | (Template & TypedTemplate<Input, Output>),
  setting: Setting = {},
): Situation<Input, Output> {
  refuseOptions('given', setting, settingTable);
  const loaded = isTemplate(template) ? template : load(template, setting);
  const { answers = {} } = setting;
  return {
    template: loaded,
    when(input) {
      const world = new World(loaded, {
        input: valid(acceptInput(loaded, input ?? {})),
        perform: performing(loaded, setting),
        review(gate, refused, why): GateAnswer | undefined {
          if (refused > 0) throw refusal(`the answer for step "${gate.step}" is refused`, why);
          const answer = answerIn(answers, gate.step);
          return answer === undefined ? undefined : decisionBy(answer, gate);
        },
      });
      return happened(world.begin().run());
    },
  };
}

function isTemplate(written: JsonObject | Template): written is Template {
  return 'digest' in written && 'language' in written;
}

/** One dollar per million tokens. */
const usual: Price = { input: 1_000_000, output: 1_000_000 };

function load(document: JsonObject, setting: Setting): Template {
  const { availableTools = {}, registry = [], capabilities = {}, plans, models, environment } = setting;
  const baseTools = Object.fromEntries(Object.keys(capabilities).map((name) => [name, () => null]));
  const own = [...capabilitiesWith(document), ...registry];
  const tools = valid(toolCapabilities({ availableTools, registry: own, baseTools }));
  const declarations = valid(createRegistry(tools)).declarations();
  const name = typeof document.name === 'string' ? document.name : 'template';
  const parsed = parseJson(JSON.stringify(document, null, 2), name);
  const profiles = models === undefined && plans === undefined ? {} : { default: { model: 'scripted' } };
  return valid(loadTemplate(parsed, declarations, new Map(), { profiles, priceOf: () => usual, env: {} }, environment));
}

function happened<Output extends Json>(world: World): RunAtRest<Output> {
  const { state, performed, journal } = world;
  const steps = [...state.steps.values()];
  const rest = state.status === 'paused' ? 'paused' : 'waiting';
  const report = reportOf(state, rest, (digest) => JSON.stringify(world.blobs.get(digest)));
  return {
    // The contracts of the steps check the output.
    report: report as RunReport<Output>,
    events: [...journal],
    steps: Object.fromEntries(steps.map((step) => [step.id, statusText(step)])),
    results: Object.fromEntries(
      steps.flatMap(({ id, result }) => (result === undefined ? [] : [[id, world.read(result)]])),
    ),
    calls: performed.flatMap((work) => {
      if (work.type !== 'call-capability') return [];
      const { step, capability, input } = work;
      return [{ step, capability, input }];
    }),
    asked: performed.flatMap((work) => (work.type === 'ask-model' ? [work.request] : [])),
    when(order) {
      const { refused } = world.tell(order);
      if (refused !== undefined) throw refusal(`the order ${order.type} is refused`, refused);
      return happened(world.run());
    },
  };
}

function valid<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(renderIssues(result.error, () => undefined));
}

function refusal(what: string, why: Issue | undefined): Error {
  return new Error(`${what}\n${renderIssues(why === undefined ? [] : [why], () => undefined)}`);
}
