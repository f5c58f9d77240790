// Compares texts with the embeddings model of a run: charges the tokens that were used, and records the answer on the tape.
import { failure } from '../../base/failure.ts';
import { defined, type Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { amountOfEmbeddings } from '../../engine/account/price-call.ts';
import type { EffectOutcome } from '../../engine/record/command.ts';
import type { AskEmbeddings } from '../../engine/record/effect.ts';
import { isMiss } from '../../llm/cassette.ts';
import { missed } from '../../llm/cassette-model.ts';
import { compareTexts, type FailedComparison, type Similarities } from '../../llm/compare-texts.ts';
import type { Embedder } from '../../llm/embedder.ts';
import type { AskContext } from '../../llm/model.ts';
import type { ModelServer } from '../../model/model-server.ts';
import type { EmbeddingsProfile } from '../../model/profile.ts';
import type { Template } from '../../template/template.ts';
import type { Boundary } from '../ports/boundary.ts';
import { type Clock, passes } from '../ports/clock.ts';
import type { Tape } from '../ports/tape.ts';
import type { UnbegunWork } from '../ports/work.ts';
import type { WorkTrace } from '../ports/work-trace.ts';

export type AskEmbeddingsEffect = (
  work: AskEmbeddings,
  signal: AbortSignal,
  trace: WorkTrace,
) => Promise<EffectOutcome | UnbegunWork>;

export interface EmbeddingsOptions {
  readonly template: Template;
  readonly embedderFor: (profile: EmbeddingsProfile) => Promise<Embedder>;
  readonly boundary: Boundary;
  readonly clock: Clock;
  readonly tape: Tape;
  /** Aborted when the run is told to stop: no further request is sent. */
  readonly stopping: AbortSignal;
}

export function embeddingsAsker(options: EmbeddingsOptions): AskEmbeddingsEffect {
  const { template, boundary, clock, tape, stopping } = options;
  return async (work, signal, trace) => {
    const { embeddings } = template;
    if (embeddings === undefined) {
      const message = 'the template names no embeddings model';
      return { ...bad(failure('MODEL_UNKNOWN', message, { retry: 'never' })), bill: {} };
    }
    const { after = 0 } = work;
    if (after > 0 && tape.player === undefined && !(await passes(clock, after, AbortSignal.any([signal, stopping])))) {
      if (!signal.aborted) return { unbegun: true };
      return { ...bad(failure('STEP_ABORTED', 'stopped before it was asked again')), bill: {} };
    }
    let server: ModelServer | undefined;
    const compared = await compare(work, embeddings, signal, {
      onServer(found) {
        server = found;
      },
      ...defined({ headers: trace.headers() }),
    });
    const about = defined({ server });
    const { usage } = compared.ok ? compared.value : compared.error;
    const bill = amountOfEmbeddings(embeddings, usage.input);
    if (compared.ok) return { ...good(recordedValue(compared.value)), bill, ...about };
    return { ...bad(boundary.redactFailure(compared.error.failure)), bill, ...about };
  };

  async function compare(
    { step, request }: AskEmbeddings,
    profile: EmbeddingsProfile,
    signal: AbortSignal,
    context: Pick<AskContext, 'onServer' | 'headers'>,
  ): Promise<Result<Similarities, FailedComparison>> {
    const key = { kind: 'embeddings', name: profile.model, request: { ...request } } as const;
    if (tape.player !== undefined) {
      const found = tape.player.play(key);
      if (isMiss(found)) return bad({ failure: missed(key, found), usage: NOTHING });
      const { outcome, usage = NOTHING } = found;
      if ('failure' in outcome) return bad({ failure: outcome.failure, usage });
      // This function has written the recorded value.
      const { alike } = outcome.value as unknown as Pick<Similarities, 'alike'>;
      return good({ alike, usage });
    }
    const compared = await compareTexts(await options.embedderFor(profile), request, signal, context);
    if (tape.keep !== undefined && !signal.aborted) {
      const outcome = compared.ok ? { value: recordedValue(compared.value) } : { failure: compared.error.failure };
      const { usage } = compared.ok ? compared.value : compared.error;
      tape.keep({ step, ...key, outcome, usage });
    }
    return compared;
  }
}

const NOTHING = { input: 0, output: 0 };

function recordedValue({ alike }: Similarities): Json {
  return { alike };
}
