// The setting of a template test: scripted answers of capabilities, planners, models and people.
import { unreachable } from '../base/fault.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { bad, good } from '../base/result.ts';
import { checkInput } from '../capabilities/call.ts';
import { failureOf } from '../capabilities/capability-error.ts';
import { plainJson } from '../capabilities/plain-json.ts';
import { estimateTokens } from '../context/tokens.ts';
import { amountOfEmbeddings } from '../engine/account/price-call.ts';
import type { Call } from '../engine/record/call.ts';
import type { EffectOutcome } from '../engine/record/command.ts';
import type { AskEmbeddings, AskModel, AskPlanner, CallCapability } from '../engine/record/effect.ts';
import { billOfResult } from '../llm/bill.ts';
import { cosinesOf } from '../llm/compare-texts.ts';
import { playScript, type Script, unscripted } from '../llm/script.ts';
import { scriptedAnswer, scriptedAsk } from '../llm/scripted-model.ts';
import { wordVector } from '../llm/word-embedder.ts';
import { advance } from '../planners/planner.ts';
import { plannerOf } from '../planners/planner-of.ts';
import type { Brief } from '../planning/brief.ts';
import { priceOfCall } from '../planning/estimate.ts';
import type { Tools } from '../runtime/api/tools.ts';
import { stubOf } from '../runtime/dry/stand-in.ts';
import type { Work } from '../runtime/ports/work.ts';
import { modelNamed } from '../template/model-use.ts';
import type { Template } from '../template/template.ts';

export type StubbedCall = Pick<CallCapability, 'step' | 'capability' | 'attempt' | 'feedback'>;

/** The answer of a call: a value, or a function of its input. An error of the function is a failure of the call. */
export type Stub =
  | Json
  | {
      // A method, so that implementations may narrow the parameter type.
      answer(input: JsonObject, call: StubbedCall): Json;
    }['answer'];

/** Everything outside the template. Answers take no time, and nothing else is asked. */
export interface Setting extends Pick<Tools, 'availableTools' | 'registry'> {
  /**
   * Answers by name of the capability. The contract comes from `registry` or `availableTools`; without one, the capability
   * takes anything and has the effect `network`. Capabilities of the registry are never called.
   */
  readonly capabilities?: Readonly<Record<string, Stub>>;
  /** Answers by id or name of the step; they win over answers by capability. */
  readonly steps?: Readonly<Record<string, Stub>>;
  /** Plans by id or name of the planning step; other planning steps use their real planner. */
  readonly plans?: Readonly<Record<string, Json | ((brief: Brief) => Json)>>;
  /**
   * Replies of models. With this or `plans`, a document without a model `default` gets one. A model without a price costs
   * one dollar per million tokens.
   */
  readonly models?: Script;
  /**
   * Answers of people, by id or name of the asking step: `true` approves. Without an answer, time passes until the question
   * expires; a question that never expires leaves the run waiting.
   */
  readonly answers?: JsonObject;
  /** The selected entry of the template's `environments`. */
  readonly environment?: string;
}

type Answer = EffectOutcome | { readonly asks: Call } | undefined;

/** The answers of one run; the script starts again for each run. Throws when the setting has no answer. */
export function performing(template: Template, setting: Setting): (work: Work) => Answer {
  const { capabilities = {}, steps = {}, plans = {}, models = [] } = setting;
  const script = playScript(models);
  let asked = 0;

  return (work) => {
    switch (work.type) {
      case 'call-capability':
        return { ...call(work), bill: priceOfCall(work.capability, template.capabilities) };
      case 'ask-planner':
        return plan(work);
      case 'ask-model':
        return ask(work);
      case 'ask-embeddings':
        return compare(work);
      case 'find-files':
        return good({ missing: [] });
      case 'discover-tools':
        return good({ tools: [], notes: [] });
      default:
        return unreachable(work);
    }
  };

  function call(work: CallCapability): EffectOutcome {
    const { step, capability, registered } = work;
    const declaration = registered ?? template.capabilities[capability];
    const checked = declaration === undefined ? good(work.input) : checkInput(declaration, work.input);
    if (!checked.ok) return bad(checked.error);
    const own = stubOf(steps, step);
    const stub = own === undefined && Object.hasOwn(capabilities, capability) ? capabilities[capability] : own;
    if (stub === undefined) {
      throw new Error(
        `nothing answers step "${step}", which calls "${capability}": give one of steps or of capabilities`,
      );
    }
    try {
      // The input has passed the contract, so it has the type that the function declares.
      return good(plainJson(typeof stub === 'function' ? stub(checked.value as JsonObject, work) : stub));
    } catch (thrown) {
      return bad(failureOf(thrown));
    }
  }

  function plan({ step, planner, brief, said }: AskPlanner): Answer {
    const stub = stubOf(plans, step);
    if (stub !== undefined) return good(typeof stub === 'function' ? stub(brief) : stub);
    const progress = advance(plannerOf(planner, template), brief, said);
    if (!progress.done) return { asks: progress.call };
    const { end } = progress;
    return end.ok ? good(end.value.fragment) : end;
  }

  /** Similarities by common words. */
  function compare({ request }: AskEmbeddings): Answer {
    const texts = [...request.goals, ...request.texts];
    const used = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    const bill = amountOfEmbeddings(template.embeddings ?? {}, used);
    return { ...good({ alike: cosinesOf(request, wordVector) }), bill };
  }

  function ask({ request }: AskModel): Answer {
    const reply = script.next(scriptedAsk(request));
    if (reply === undefined) throw new Error(unscripted(scriptedAsk(request)));
    if ('fail' in reply && 'stall' in reply.fail) return undefined;
    asked += 1;
    const answered = scriptedAnswer(reply, request, asked, estimateTokens);
    const { price } = modelNamed(template.models, request.model)?.profile ?? {};
    const bill = billOfResult(answered, price);
    // A reply is plain JSON, although its type does not say so.
    return answered.ok
      ? { ...good(JSON.parse(JSON.stringify(answered.value))), bill }
      : { ...bad(answered.error.failure), bill };
  }
}
