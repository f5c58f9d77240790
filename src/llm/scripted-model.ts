// A model that answers from a script, without a network; it fails when no rule fits.
import { failure } from '../base/failure.ts';
import { Fault } from '../base/fault.ts';
import { bad, good } from '../base/result.ts';
import { type CountTokens, estimateTokens } from '../context/tokens.ts';
import type { ModelRequest } from '../model/request.ts';
import { readReply } from './chat-reply.ts';
import { callsBefore, estimatedUsage, writtenIn } from './estimated-usage.ts';
import type { AskContext, Model, ModelResult } from './model.ts';
import { cutOff, noReply, refusalFailure, stopped } from './model-failure.ts';
import {
  piecesOf,
  playScript,
  type Script,
  type ScriptedAsk,
  type ScriptedFailure,
  type ScriptReply,
  unscripted,
} from './script.ts';
import { completionOf } from './scripted-completion.ts';

export interface ScriptedModel extends Model {
  /** The requests so far, in order. */
  readonly asked: readonly ModelRequest[];
  /** Rules that should have answered more often. */
  unused(): Script;
}

export function scriptedModel(script: Script, count: CountTokens = estimateTokens): ScriptedModel {
  const player = playScript(script);
  const asked: ModelRequest[] = [];
  return {
    profile: { model: 'scripted', prices: { input: '$0', output: '$0' } },
    asked,
    unused: player.unused,
    async ask(request, context) {
      if (context.signal.aborted) return bad({ failure: stopped(nameOf(request)) });
      asked.push(request);
      const ask = scriptedAsk(request);
      const scripted = player.next(ask);
      if (scripted === undefined) {
        return bad({ failure: failure('MODEL_SCRIPT_EXHAUSTED', unscripted(ask), { retry: 'never' }) });
      }
      const answer = scriptedAnswer(scripted, request, asked.length, count, context.onDelta !== undefined);
      tell(spokenIn(answer, scripted), context);
      const stalls = 'fail' in scripted && 'stall' in scripted.fail;
      if (stalls && !context.signal.aborted) {
        await new Promise((end) => context.signal.addEventListener('abort', end, { once: true }));
      }
      if (answer.ok && context.signal.aborted) return bad({ failure: stopped(nameOf(request)) });
      return answer;
    },
  };
}

/**
 * The result of a request under its rule; for a stalled reply, the failure after the caller gave up.
 * @param turn numbers the replies
 * @param heard true when somebody listened to the text before a failure
 */
export function scriptedAnswer(
  scripted: ScriptReply,
  request: ModelRequest,
  turn: number,
  count: CountTokens,
  heard = false,
): ModelResult {
  if ('fail' in scripted) return failed(scripted.fail, request, count, heard);
  const ask = scriptedAsk(request);
  const from = { baseUrl: 'scripted', model: request.model };
  const parsed = readReply(completionOf(scripted, ask, turn, count), { callsBefore: ask.called, from });
  if (!parsed.ok) throw new Fault(`a scripted reply cannot be read: ${parsed.error}`);
  const { reply, usage } = parsed.value;
  return good({ ...reply, usage: usage ?? estimatedUsage(request, writtenIn(reply), count) });
}

function failed(scripted: ScriptedFailure, request: ModelRequest, count: CountTokens, heard: boolean): ModelResult {
  const who = nameOf(request);
  if ('status' in scripted) return bad({ failure: refusalFailure(who, scripted) });
  if ('garbage' in scripted) return bad({ failure: noReply(who, 'text that is no JSON but HTML') });
  // Without a listener, nobody knows which text had arrived.
  const usage = estimatedUsage(request, heard ? saidBefore(scripted) : '', count);
  return bad({ failure: 'cut' in scripted ? cutOff(who) : stopped(who), usage });
}

function saidBefore(scripted: ScriptedFailure): string {
  if ('cut' in scripted) return scripted.cut;
  return 'stall' in scripted ? scripted.stall : '';
}

function spokenIn(answer: ModelResult, scripted: ScriptReply): string {
  if (answer.ok) return answer.value.text;
  return 'fail' in scripted ? saidBefore(scripted.fail) : '';
}

function tell(text: string, { onDelta }: AskContext): void {
  if (onDelta !== undefined) piecesOf(text).forEach(onDelta);
}

function nameOf({ model }: ModelRequest): string {
  return `the model ${model}`;
}

/** The properties of a request that a script's rules test. */
export function scriptedAsk(request: ModelRequest): ScriptedAsk {
  const { model, messages, tools = [] } = request;
  return { model, messages, tools: tools.map(({ name }) => name), called: callsBefore(request) };
}
