// What stands in for the world where a template is tested without one: answers to calls, plans, models and people.
import { unreachable } from '../base/fault.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { good } from '../base/result.ts';
import { checkInput } from '../capabilities/call.ts';
import { failureOf } from '../capabilities/capability-error.ts';
import { plainJson } from '../capabilities/plain-json.ts';
import { estimateTokens } from '../context/tokens.ts';
import { amountOfEmbeddings } from '../engine/account/price.ts';
import type { Call } from '../engine/record/call.ts';
import type { Outcome } from '../engine/record/command.ts';
import type { AskEmbeddings, AskModel, AskPlanner, CallCapability } from '../engine/record/effect.ts';
import { billOf } from '../llm/bill.ts';
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
import { modelNamed } from '../template/model-named.ts';
import type { Template } from '../template/template.ts';

export type StubbedCall = Pick<CallCapability, 'step' | 'capability' | 'attempt' | 'feedback'>;

/** What a call answers: always the same, or what a function makes of its input. What the function throws is how it failed. */
export type Stub =
  | Json
  | {
      // A method, so that a function may say more closely what it takes.
      answer(input: JsonObject, call: StubbedCall): Json;
    }['answer'];

/** All that a run meets beside its template; nothing else is asked, and no time passes while it answers. */
export interface Setting extends Pick<Tools, 'availableTools' | 'registry'> {
  /**
   * What calls of a capability answer, by its name. Its contract is that of `registry` or `availableTools`; without one
   * it takes anything and counts as `network`. Capabilities of the registry are not called themselves.
   */
  readonly capabilities?: Readonly<Record<string, Stub>>;
  /** What the calls of single steps answer, by the step's id or its name; they go before those of the capability. */
  readonly steps?: Readonly<Record<string, Stub>>;
  /** Plans in the place of a planner's, by the id or the name of the planning step. The others plan as they do in any run. */
  readonly plans?: Readonly<Record<string, Json | ((brief: Brief) => Json)>>;
  /**
   * What models answer. Where this or `plans` is given, a document that declares no model `default` has one; a model whose
   * price is not said costs a dollar for a million tokens.
   */
  readonly models?: Script;
  /**
   * What people answer, by the id or the name of the step that asks: `true` approves. Where nobody answers, time passes
   * until the question expires; one that does not expire leaves the run waiting.
   */
  readonly answers?: JsonObject;
  /** The overlay that is chosen among the template's `environments`. */
  readonly environment?: string;
}

type Answer = Outcome | { readonly asks: Call } | undefined;

/** For one run: its script begins anew with each. Throws where nothing has been given that could answer. */
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
        return { ok: true, value: { missing: [] } };
      case 'discover-tools':
        return { ok: true, value: { tools: [], notes: [] } };
      default:
        return unreachable(work);
    }
  };

  function call(work: CallCapability): Outcome {
    const { step, capability, registered } = work;
    const declaration = registered ?? template.capabilities[capability];
    const checked = declaration === undefined ? good(work.input) : checkInput(declaration, work.input);
    if (!checked.ok) return { ok: false, failure: checked.error };
    const own = stubOf(steps, step);
    const stub = own === undefined && Object.hasOwn(capabilities, capability) ? capabilities[capability] : own;
    if (stub === undefined) {
      throw new Error(
        `nothing answers step "${step}", which calls "${capability}": give one of steps or of capabilities`,
      );
    }
    try {
      // A function says what it takes; what comes has passed the contract.
      return {
        ok: true,
        value: plainJson(typeof stub === 'function' ? stub(checked.value as JsonObject, work) : stub),
      };
    } catch (thrown) {
      return { ok: false, failure: failureOf(thrown) };
    }
  }

  function plan({ step, planner, brief, said }: AskPlanner): Answer {
    const stub = stubOf(plans, step);
    if (stub !== undefined) return { ok: true, value: typeof stub === 'function' ? stub(brief) : stub };
    const progress = advance(plannerOf(planner, template), brief, said);
    if (!progress.done) return { asks: progress.call };
    const { reply } = progress;
    return reply.ok ? { ok: true, value: reply.fragment } : reply;
  }

  /** By the words that they share. */
  function compare({ request }: AskEmbeddings): Answer {
    const texts = [...request.goals, ...request.texts];
    const used = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    const bill = amountOfEmbeddings(template.embeddings ?? {}, used);
    return { ok: true, value: { alike: cosinesOf(request, wordVector) }, bill };
  }

  function ask({ request }: AskModel): Answer {
    const reply = script.next(scriptedAsk(request));
    if (reply === undefined) throw new Error(unscripted(scriptedAsk(request)));
    if ('fail' in reply && 'stall' in reply.fail) return undefined;
    asked += 1;
    const answered = scriptedAnswer(reply, request, asked, estimateTokens);
    const { price } = modelNamed(template.models, request.model)?.profile ?? {};
    const bill = billOf(answered.ok ? answered.reply.usage : answered.usage, price);
    // A reply is plain JSON by its making.
    return answered.ok ? { ok: true, value: JSON.parse(JSON.stringify(answered.reply)), bill } : { ...answered, bill };
  }
}
