// Asks one model profile the questions of `doctor --models`.
import { setTimeout as pass } from 'node:timers/promises';
import { defined } from '../../base/json.ts';
import { type ApiName, chooseApi } from '../../llm/choose-api.ts';
import type { Dialects } from '../../llm/dialect.ts';
import { featureName, insteadOf } from '../../llm/feature-words.ts';
import { allFeatures, type Feature } from '../../llm/features.ts';
import { type ProbeReport, type ProbeRow, probeModel } from '../../llm/probe/probe-model.ts';
import { modelClients } from '../../runtime/perform/model-clients.ts';
import type { Boundary } from '../../runtime/ports/boundary.ts';
import { hintFor } from './failure-hint.ts';
import { folderOf, type ModelAddress } from './model-address.ts';
import type { ProfileToAsk } from './profiles-to-ask.ts';

export interface AskedProfile extends ProfileToAsk {
  readonly server: string;
  /** The API by which it is now asked. */
  readonly api: ApiName;
  readonly report: ProbeReport;
  /** The features that the server refused, in plain words, each with its substitute. */
  readonly refuses: readonly { readonly what: string; readonly instead: string }[];
  readonly hint?: string;
}

/** True when the model answers at all. */
export function isUsable({ report }: Pick<AskedProfile, 'report'>): boolean {
  return report.failure === undefined && report.rows[0]?.outcome === 'yes';
}

export interface AskOptions {
  readonly address: ModelAddress;
  readonly own: Boundary;
  /** The memory of refused features. */
  readonly known: Dialects;
  /** Called after each question. */
  onAnswer(row: ProbeRow): void;
}

/** Asks all questions, after forgetting what the server refused before: it may take that now. */
export async function askProfile(
  each: ProfileToAsk,
  { address: { server, baseUrl }, own, known, onAnswer }: AskOptions,
): Promise<AskedProfile> {
  const { name, profile } = each;
  known.forget(baseUrl, profile.model);
  const client = await modelClients({}, own, known)(folderOf(each))(name, profile);
  const dialect = known.of(baseUrl, profile.model);
  const report = await probeModel(
    { name, profile, model: client, dialect },
    {
      signal: new AbortController().signal,
      now: Date.now,
      pause: async (duration) => {
        await pass(duration);
      },
      onAnswer,
    },
  );
  const api = chooseApi(profile, baseUrl, dialect);
  const refused = allFeatures.filter(
    (feature) => !dialect.takes(feature) && !(api === 'responses' && isOfChat(feature)),
  );
  const mayHint = report.failure !== undefined && profile.provider !== 'ai-sdk';
  const hint = mayHint ? await hintFor(each, report.failure, own) : undefined;
  const refuses = refused.map((feature) => ({ what: featureName(feature), instead: insteadOf(feature, api) }));
  return { ...each, server, api, report, refuses, ...defined({ hint }) };
}

/** The Responses API has one name for the limit of an answer. */
function isOfChat(feature: Feature): boolean {
  return feature === 'max_tokens' || feature === 'max_completion_tokens';
}
