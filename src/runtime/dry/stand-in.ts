// Replaces the performer of effects in a dry run: calls nothing that could have an effect, and reports the source of each answer.

import { type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { good } from '../../base/result.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { exampleOf } from '../../contract/example.ts';
import type { EffectOutcome } from '../../engine/record/command.ts';
import type { AskModel, AskPlanner, CallCapability } from '../../engine/record/effect.ts';
import type { ModelReply } from '../../model/reply.ts';
import { plannerModelOf } from '../../template/model-use.ts';
import type { Template } from '../../template/template.ts';
import { localName } from '../../view/status.ts';
import type { Perform, Work } from '../ports/work.ts';

/** Canned answers for a dry run. */
export interface Stubs {
  /** Results of capabilities and agents, by the id or the name of the step. */
  readonly steps: JsonObject;
  /** Results by the name of the capability. */
  readonly capabilities: JsonObject;
  /** Plans by the id or the name of the planning step. */
  readonly plans: JsonObject;
}

export interface AnswerSource {
  readonly step: string;
  /** The name of a capability, or `model`, `embeddings` or `planner`. */
  readonly asked: string;
  readonly from:
    | 'its stub'
    | 'the stub of the capability'
    | 'its contract'
    | 'computed'
    | 'planned by its rule'
    | 'nothing';
}

/** Replies of a dry run cost nothing. */
const FREE = { input: 0, output: 0 };

export function standIn(
  template: Template,
  stubs: Stubs,
  tell: (told: AnswerSource) => void,
): (perform: Perform) => Perform {
  return (perform) => async (work, signal) => {
    switch (work.type) {
      case 'call-capability':
        return stubbed(work) ?? (isPure(work) ? computed(work, perform(work, signal)) : madeUp(work));
      case 'ask-planner':
        return planned(work) ?? (asksNobody(work) ? ruled(work, perform(work, signal)) : unplanned(work));
      case 'ask-model':
        return answered(work);
      case 'ask-embeddings':
        tell({ step: work.step, asked: 'embeddings', from: 'nothing' });
        return { ...good({ alike: [] }), bill: {} };
      case 'find-files':
        return good({ missing: [] });
      case 'discover-tools':
        return good({ tools: [], notes: [] });
    }
  };

  function stubbed({ step, capability }: CallCapability): EffectOutcome | undefined {
    const own = stubOf(stubs.steps, step);
    const value = own ?? ownProperty(stubs.capabilities, capability);
    if (value === undefined) return undefined;
    tell({ step, asked: capability, from: own === undefined ? 'the stub of the capability' : 'its stub' });
    return good(value);
  }

  function declarationOf({ capability, registered }: CallCapability): Declaration | undefined {
    return registered ?? template.capabilities[capability];
  }

  /** True for a capability that only computes. A child run is never pure. */
  function isPure(work: CallCapability): boolean {
    if (work.child !== undefined) return false;
    const effects = declarationOf(work)?.effects ?? [];
    return effects.length > 0 && effects.every((effect) => effect === 'compute');
  }

  async function computed<T>({ step, capability }: CallCapability, outcome: Promise<T>) {
    tell({ step, asked: capability, from: 'computed' });
    return outcome;
  }

  function madeUp(work: CallCapability): EffectOutcome {
    const { output } = declarationOf(work) ?? {};
    const example = output === undefined ? undefined : exampleOf(output);
    tell({ step: work.step, asked: work.capability, from: example === undefined ? 'nothing' : 'its contract' });
    return good(example ?? null);
  }

  function planned({ step }: AskPlanner): EffectOutcome | undefined {
    const plan = stubOf(stubs.plans, step);
    if (plan === undefined) return undefined;
    tell({ step, asked: 'planner', from: 'its stub' });
    return good(plan);
  }

  async function ruled<T>({ step }: Work, outcome: Promise<T>) {
    tell({ step, asked: 'planner', from: 'planned by its rule' });
    return outcome;
  }

  function unplanned({ step }: Work): EffectOutcome {
    tell({ step, asked: 'planner', from: 'nothing' });
    return good({ rationale: 'dry run: the step has no stub', steps: [] });
  }

  function answered({ step, purpose, request }: AskModel): EffectOutcome {
    const own = purpose === 'turn' ? stubOf(stubs.steps, step) : undefined;
    const schema = request.answer?.schema;
    const passes: Json | undefined = purpose === 'judge' ? { passes: true, diagnosis: '' } : undefined;
    const value = own ?? passes ?? (schema === undefined ? 'made up' : exampleOf(schema));
    const from =
      own !== undefined ? 'its stub' : schema === undefined || value === undefined ? 'nothing' : 'its contract';
    tell({ step, asked: purpose === 'turn' ? 'model' : `model (${purpose})`, from });
    const text = typeof value === 'string' && schema?.type !== 'string' ? value : JSON.stringify(value ?? null);
    const reply: ModelReply = { text, finish: 'stop', usage: FREE };
    return { ...good(JSON.parse(JSON.stringify(reply)) as Json), bill: {} };
  }
}

/** The stub of a step by its id, or else by its name. An item of a fan-out uses the stub of the fan-out. */
export function stubOf<Stub>(stubs: Readonly<Record<string, Stub>>, step: string): Stub | undefined {
  const names = [step, localName(step), localName(step.replace(/\/\d+$/, ''))];
  return names.map((name) => (Object.hasOwn(stubs, name) ? stubs[name] : undefined)).find((stub) => stub !== undefined);
}

function asksNobody({ planner }: AskPlanner): boolean {
  const asked = plannerModelOf(planner);
  return planner.kind !== 'capability' && (asked === undefined || asked.isOptional === true);
}
