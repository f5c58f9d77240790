// Asks the embeddings model of a run how alike texts are: charged by the tokens that were used, and kept on the tape.
import { failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import { amountOfEmbeddings } from '../../engine/account/price-call.ts';
import type { EffectOutcome } from '../../engine/record/command.ts';
import { bad, good } from '../../base/result.ts';
import type { AskEmbeddings } from '../../engine/record/effect.ts';
import { isMiss } from '../../llm/cassette.ts';
import { missed } from '../../llm/cassette-model.ts';
import { type Comparison, compareTexts } from '../../llm/compare-texts.ts';
import type { Embedder } from '../../llm/embedder.ts';
import type { EmbeddingsProfile } from '../../model/profile.ts';
import type { Template } from '../../template/template.ts';
import type { Boundary } from '../ports/boundary.ts';
import { type Clock, passes } from '../ports/clock.ts';
import type { Tape } from '../ports/tape.ts';

export type AskEmbeddingsEffect = (work: AskEmbeddings, signal: AbortSignal) => Promise<EffectOutcome>;

export interface EmbeddingsOptions {
  readonly template: Template;
  readonly embedderFor: (profile: EmbeddingsProfile) => Promise<Embedder>;
  readonly boundary: Boundary;
  readonly clock: Clock;
  readonly tape: Tape;
}

export function embeddingsAsker(options: EmbeddingsOptions): AskEmbeddingsEffect {
  const { template, boundary, clock, tape } = options;
  return async (work, signal) => {
    const { embeddings } = template;
    if (embeddings === undefined) {
      const message = 'the template names no embeddings model';
      return { ...bad(failure('MODEL_UNKNOWN', message, { retry: 'never' })), bill: {} };
    }
    const { after = 0 } = work;
    if (after > 0 && tape.player === undefined && !(await passes(clock, after, signal))) {
      return { ...bad(failure('STEP_ABORTED', 'stopped before it was asked again')), bill: {} };
    }
    const compared = await compare(work, embeddings, signal);
    const bill = amountOfEmbeddings(embeddings, compared.usage.input);
    if (compared.ok) return { ...good(answerOf(compared)), bill };
    return { ...bad(boundary.redactFailure(compared.failure)), bill };
  };

  async function compare(
    { step, request }: AskEmbeddings,
    profile: EmbeddingsProfile,
    signal: AbortSignal,
  ): Promise<Comparison> {
    const asking = { kind: 'embeddings', name: profile.model, request: { ...request } } as const;
    if (tape.player !== undefined) {
      const found = tape.player.play(asking);
      if (isMiss(found)) return { ok: false, failure: missed(asking, found), usage: NOTHING };
      const { outcome, usage = NOTHING } = found;
      if ('failure' in outcome) return { ok: false, failure: outcome.failure, usage };
      // This function has written the recorded value.
      const { alike } = outcome.value as unknown as Pick<Comparison & { readonly ok: true }, 'alike'>;
      return { ok: true, alike, usage };
    }
    const compared = await compareTexts(await options.embedderFor(profile), request, signal);
    if (tape.keep !== undefined && !signal.aborted) {
      const outcome = compared.ok ? { value: answerOf(compared) } : { failure: compared.failure };
      tape.keep({ step, ...asking, outcome, usage: compared.usage });
    }
    return compared;
  }
}

const NOTHING = { input: 0, output: 0 };

function answerOf({ alike }: Comparison & { readonly ok: true }): Json {
  return { alike };
}
