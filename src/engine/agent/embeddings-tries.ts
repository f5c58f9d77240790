// Asks an embeddings model how alike goals and texts are, with the same retries as for a language model.

import { type Failure, failure } from '../../base/failure.ts';
import { isJsonArray, type Json, ownProperty } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { EmbeddingsProfile } from '../../model/profile.ts';
import type { EmbeddingsRequest } from '../../model/request.ts';
import type { Work } from '../record/call.ts';
import { pauseAfter } from './model-tries.ts';

/** The most goals, texts, and characters of each that one request compares. */
export const MOST_COMPARED = { goals: 20, texts: 100, characters: 400 } as const;

/** The similarity of each goal with each text. */
type Similarities = readonly (readonly number[])[];

/** Every try is a call. */
export function* askEmbeddings(
  { maxRetries }: Pick<EmbeddingsProfile, 'maxRetries'>,
  request: EmbeddingsRequest,
): Work<Result<Similarities, Failure>> {
  let after: Duration = 0;
  for (let tries = 1; ; tries++) {
    const outcome = yield { kind: 'embeddings', request, ...(after > 0 ? { after } : {}) };
    if (outcome.ok) return readAlike(outcome.value);
    if (outcome.error.retry === 'never' || tries > maxRetries) return bad(outcome.error);
    after = pauseAfter(tries, outcome.error);
  }
}

function readAlike(value: Json): Result<Similarities, Failure> {
  const rows = ownProperty(value, 'alike');
  const alike = isJsonArray(rows) ? rows.filter(isRow) : [];
  if (isJsonArray(rows) && alike.length === rows.length) return good(alike);
  return bad(
    failure(
      'MODEL_REPLY_INVALID',
      'the reply of the embeddings model is no table of similarities between the goals and the texts',
    ),
  );
}

function isRow(row: Json): row is readonly number[] {
  return isJsonArray(row) && row.every((each) => typeof each === 'number');
}
