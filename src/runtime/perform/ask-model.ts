// Asks the models of a run once for each request, charges what was used, and removes secrets from the reply.

import { failure } from '../../base/failure.ts';
import { defined, type Json } from '../../base/json.ts';
import { bad, good } from '../../base/result.ts';
import type { EffectOutcome } from '../../engine/record/command.ts';
import type { AskModel } from '../../engine/record/effect.ts';
import { billOfResult } from '../../llm/bill.ts';
import { cassetteModel, recordedModel } from '../../llm/cassette-model.ts';
import type { Model } from '../../llm/model.ts';
import type { ModelServer } from '../../model/model-server.ts';
import type { ModelProfile } from '../../model/profile.ts';
import type { ModelReply } from '../../model/reply.ts';
import { withoutReasoning } from '../../model/without-reasoning.ts';
import { modelNamed } from '../../template/model-use.ts';
import type { Template } from '../../template/template.ts';
import type { Boundary } from '../ports/boundary.ts';
import { type Clock, passes } from '../ports/clock.ts';
import { type LiveAnswer, liveAnswer, type OnDelta } from '../ports/live-answer.ts';
import type { Tape } from '../ports/tape.ts';
import type { UnbegunWork } from '../ports/work.ts';
import type { WorkTrace } from '../ports/work-trace.ts';
import { type LockGuard, refusedByLock } from './lock-guard.ts';

export type AskModelEffect = (
  work: AskModel,
  signal: AbortSignal,
  trace: WorkTrace,
) => Promise<EffectOutcome | UnbegunWork>;

export interface ModelsOptions {
  readonly run: string;
  readonly template: Template;
  /** The model that answers for a profile. */
  readonly modelFor: (name: string, profile: ModelProfile) => Promise<Model>;
  readonly boundary: Boundary;
  readonly clock: Clock;
  readonly onDelta?: OnDelta | undefined;
  readonly tape: Tape;
  readonly lock: LockGuard;
  /** Aborted when the run is told to stop: no further request is sent. */
  readonly stopping: AbortSignal;
}

export function modelAsker({
  run,
  template,
  modelFor,
  boundary,
  clock,
  onDelta,
  tape,
  lock,
  stopping,
}: ModelsOptions): AskModelEffect {
  const { player, keep } = tape;
  /** Models that leave out the opening mark of their reasoning. */
  const beginInside = new Set<string>();
  return async (work, signal, trace) => {
    const { step, purpose, request, after = 0, agreed } = work;
    const model = modelNamed(template.models, request.model);
    if (model === undefined) {
      const message = `no model is named "${request.model}"`;
      return { ...bad(failure('MODEL_UNKNOWN', message, { retry: 'never' })), bill: {} };
    }
    if (after > 0 && player === undefined && !(await passes(clock, after, AbortSignal.any([signal, stopping])))) {
      if (!signal.aborted) return { unbegun: true };
      return { ...bad(failure('STEP_ABORTED', 'stopped before the model was asked again')), bill: {} };
    }
    const client =
      player === undefined ? recorded(await modelFor(model.name, model.profile), step, purpose) : cassetteModel(player);
    const live = onDelta === undefined ? undefined : liveOf(work, model.name, onDelta);
    let server: ModelServer | undefined;
    const onServer = (found: ModelServer): void => {
      server = found;
    };
    const asked = await client.ask(request, {
      signal,
      onServer,
      ...defined({ onDelta: live?.take, headers: trace.headers() }),
    });
    const about = defined({ server });
    live?.end();
    if (live?.beganInside()) beginInside.add(model.name);
    const bill = billOfResult(asked, model.profile.price);
    // A reply is plain JSON, although its type does not say so.
    if (asked.ok) {
      const held = player === undefined ? await lock.model(model.profile, asked.value.model, agreed) : undefined;
      if (held?.ok === false) return { ...refusedByLock(held.error), bill, ...about };
      const said = defined({ lock: held?.value });
      const reply = withoutItsReasoning(asked.value);
      return { ...good(boundary.redact(JSON.parse(JSON.stringify(reply)) as Json)), bill, ...said, ...about };
    }
    return { ...bad(boundary.redactFailure(asked.error.failure)), bill, ...about };
  };

  function liveOf({ step, attempt, call, purpose, request }: AskModel, model: string, hear: OnDelta): LiveAnswer {
    return liveAnswer(
      { run, step, attempt, call, model, purpose },
      {
        onDelta: hear,
        redaction: boundary.redaction,
        isData: request.answer !== undefined,
        beginsInside: beginInside.has(model),
      },
    );
  }

  function recorded(client: Model, step: string, purpose: string): Model {
    return keep === undefined ? client : recordedModel(client, (exchange) => keep({ step, purpose, ...exchange }));
  }
}

/** Results, later prompts and stored replies never hold reasoning, whichever client asked. */
function withoutItsReasoning(reply: ModelReply): ModelReply {
  const text = withoutReasoning(reply.text);
  return text === reply.text ? reply : { ...reply, text, reasoned: true };
}
