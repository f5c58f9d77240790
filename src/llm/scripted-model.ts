// A model that answers from a script: without a network, the same each time, and with a failure where the script ends.
import { failure } from '../base/failure.ts';
import { Fault } from '../base/fault.ts';
import { type CountTokens, estimateTokens } from '../context/tokens.ts';
import type { ModelRequest } from '../model/request.ts';
import { readReply } from './chat-reply.ts';
import { callsBefore, estimatedUsage, writtenIn } from './estimated-usage.ts';
import type { AskContext, Asked, Model } from './model.ts';
import { cutOff, noReply, refusalFailure, stopped } from './model-failure.ts';
import { piecesOf, playScript, type Script, type ScriptedAsk, type ScriptedFailure, unscripted } from './script.ts';
import { completionOf } from './scripted-completion.ts';

export interface ScriptedModel extends Model {
  /** What it was asked, in order. */
  readonly asked: readonly ModelRequest[];
  /** Rules that should have answered more often. */
  unused(): Script;
}

export function scriptedModel(script: Script, count: CountTokens = estimateTokens): ScriptedModel {
  const player = playScript(script);
  const asked: ModelRequest[] = [];
  return {
    asked,
    unused: player.unused,
    async ask(request, context) {
      if (context.signal.aborted) return { ok: false, failure: stopped(nameOf(request)) };
      asked.push(request);
      const ask = scriptedAsk(request);
      const scripted = player.next(ask);
      if (scripted === undefined) {
        return { ok: false, failure: failure('MODEL_SCRIPT_EXHAUSTED', unscripted(ask), { retry: 'never' }) };
      }
      if ('fail' in scripted) return fail(scripted.fail, request, context, count);
      const reading = readReply(completionOf(scripted, ask, asked.length, count), ask.called);
      if (!reading.ok) throw new Fault(`a scripted reply cannot be read: ${reading.what}`);
      const { reply, usage } = reading;
      tell(reply.text, context);
      if (context.signal.aborted) return { ok: false, failure: stopped(nameOf(request)) };
      return { ok: true, reply: { ...reply, usage: usage ?? estimatedUsage(request, writtenIn(reply), count) } };
    },
  };
}

async function fail(
  scripted: ScriptedFailure,
  request: ModelRequest,
  context: AskContext,
  count: CountTokens,
): Promise<Asked> {
  const who = nameOf(request);
  if ('status' in scripted) return { ok: false, failure: refusalFailure(who, scripted) };
  if ('garbage' in scripted) return { ok: false, failure: noReply(who, 'text that is no JSON but HTML') };
  const said = 'stall' in scripted ? scripted.stall : scripted.cut;
  tell(said, context);
  // Without a listener nobody knows what had come.
  const usage = estimatedUsage(request, context.onDelta === undefined ? '' : said, count);
  if ('cut' in scripted) return { ok: false, failure: cutOff(who), usage };
  if (!context.signal.aborted) {
    await new Promise((end) => context.signal.addEventListener('abort', end, { once: true }));
  }
  return { ok: false, failure: stopped(who), usage };
}

function tell(text: string, { onDelta }: AskContext): void {
  if (onDelta !== undefined) piecesOf(text).forEach(onDelta);
}

function nameOf({ model }: ModelRequest): string {
  return `the model ${model}`;
}

function scriptedAsk(request: ModelRequest): ScriptedAsk {
  const { model, messages, tools = [] } = request;
  return { model, messages, tools: tools.map(({ name }) => name), called: callsBefore(request) };
}
