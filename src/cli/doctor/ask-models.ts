// doctor --models: asks each model profile one small question of each kind, and shows what it can do.

import { setTimeout as pass } from 'node:timers/promises';
import { defined } from '../../base/json.ts';
import { dollarsOf, secondsOf } from '../../budget/display-figures.ts';
import { type ApiName, chooseApi } from '../../llm/choose-api.ts';
import { connect, OWN_SERVER } from '../../llm/connection.ts';
import { type Dialects, dialects } from '../../llm/dialect.ts';
import { featureName, insteadOf } from '../../llm/feature-words.ts';
import { allFeatures, type Feature } from '../../llm/features.ts';
import { mostOfProbe, type ProbeReport, type ProbeSpending, probeModel } from '../../llm/probe/probe-model.ts';
import { modelClients } from '../../runtime/perform/model-clients.ts';
import { refusalStore } from '../../runtime/perform/refusal-store.ts';
import { type Boundary, boundary } from '../../runtime/ports/boundary.ts';
import type { Journal } from '../../store/journal.ts';
import { StoreRefused } from '../../store/store-refused.ts';
import { span } from '../../view/line.ts';
import type { DoctorModelsAnswer } from '../answers/authoring.schema.ts';
import type { Call } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { refuse } from '../refuse.ts';
import { storeFile } from '../store-file.ts';
import { hintFor } from './failure-hint.ts';
import { boundLine, headLine, rowLine, sumLines } from './probe-text.ts';
import { type ProfileToAsk, profilesToAsk } from './profiles-to-ask.ts';

export interface AskedProfile extends ProfileToAsk {
  readonly server: string;
  /** The API by which it is now asked. */
  readonly api: ApiName;
  readonly report: ProbeReport;
  /** The features that the server refused, in plain words, each with its substitute. */
  readonly refuses: readonly { readonly what: string; readonly instead: string }[];
  readonly hint?: string;
}

export async function askModels(call: Call): Promise<ExitCode> {
  const { given, terminal } = call;
  const found = await profilesToAsk(given);
  if (!found.ok) return refuse(call, found.error);
  const own = boundary(process.env);
  const memory = await openMemory(call);
  try {
    const asked: AskedProfile[] = [];
    for (const [at, each] of found.value.entries()) {
      const connected = connect(each.name, each.profile, own);
      const server = connected.ok ? withoutQuery(connected.value.baseUrl) : addressOf(each);
      if (!given.has('json')) terminal.print([...(at > 0 ? [[]] : []), headLine(each, server)]);
      // The bound is said before anything is sent, also to machines.
      if (connected.ok) terminal.say([boundLine(each, mostOfProbe(each.profile))]);
      const one = await askProfile(call, each, { server, own, memory });
      asked.push(one);
      if (!given.has('json')) terminal.print(sumLines(one));
    }
    if (given.has('json')) terminal.json(answerOf(asked, memory.journal !== undefined));
    return asked.every(isUsable) ? exitCodes.done : exitCodes.issues;
  } finally {
    await memory.journal?.close();
  }
}

function isUsable({ report }: Pick<AskedProfile, 'report'>): boolean {
  return report.failure === undefined && report.rows[0]?.outcome === 'yes';
}

interface Memory {
  readonly known: Dialects;
  /** Absent when the store cannot be written. */
  readonly journal?: Journal;
}

/** Keeps refusals in the store, from which later runs read them. */
async function openMemory({ given, terminal }: Call): Promise<Memory> {
  const { openSqliteJournal } = await import('../../store/sqlite-journal.ts');
  try {
    const journal = openSqliteJournal(storeFile(given), { access: 'any' });
    if (journal.readOnly !== true) return { journal, known: dialects({ store: refusalStore(journal) }) };
    await journal.close();
    terminal.say([[span('the store cannot be written, so later runs will not know what is found out here', 'warn')]]);
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    terminal.say([[span(`later runs will not know what is found out here: ${error.message} (${error.code})`, 'warn')]]);
  }
  return { known: dialects() };
}

interface AskOptions {
  readonly server: string;
  readonly own: Boundary;
  readonly memory: Memory;
}

async function askProfile(
  { given, terminal }: Call,
  each: ProfileToAsk,
  { server, own, memory }: AskOptions,
): Promise<AskedProfile> {
  const { name, profile } = each;
  const connected = connect(name, profile, own);
  const baseUrl = connected.ok ? connected.value.baseUrl : server;
  // What was refused before may be taken now.
  memory.known.forget(baseUrl, profile.model);
  const client = await modelClients({}, own, memory.known)()(name, profile);
  const dialect = memory.known.of(baseUrl, profile.model);
  const report = await probeModel(
    { name, profile, model: client, dialect },
    {
      signal: new AbortController().signal,
      now: Date.now,
      pause: async (duration) => {
        await pass(duration);
      },
      onAnswer: (row) => {
        if (!given.has('json')) terminal.print([rowLine(row)]);
      },
    },
  );
  const api = chooseApi(profile, baseUrl, dialect);
  const refused = allFeatures.filter(
    (feature) => !dialect.takes(feature) && !(api === 'responses' && isOfChat(feature)),
  );
  const hint = report.failure === undefined ? undefined : await hintFor(each, report.failure, own);
  const refuses = refused.map((feature) => ({ what: featureName(feature), instead: insteadOf(feature, api) }));
  return { ...each, server, api, report, refuses, ...defined({ hint }) };
}

/** The Responses API has one name for the limit of an answer. */
function isOfChat(feature: Feature): boolean {
  return feature === 'max_tokens' || feature === 'max_completion_tokens';
}

/** The query of an address may hold a key. */
function withoutQuery(address: string): string {
  return address.replace(/\?.*$/, '');
}

/** The address as it is written, for a model that cannot be asked. */
function addressOf({ profile }: ProfileToAsk): string {
  return withoutQuery(profile.baseUrl ?? process.env.OPENAI_BASE_URL ?? OWN_SERVER);
}

function answerOf(asked: readonly AskedProfile[], isKept: boolean): DoctorModelsAnswer {
  return {
    models: asked.map(({ name, profile, file, server, api, report, refuses, hint }) => {
      const { rows, spent, reportsUsage, parameters, failure } = report;
      return {
        profile: name,
        model: profile.model,
        server,
        api,
        ...defined({ file }),
        usable: isUsable({ report }),
        questions: rows.map(({ question, outcome, detail, ...used }) => ({
          question,
          outcome,
          detail,
          ...spentShown(used),
        })),
        parameters: parameters.map(({ name: parameter, isTaken }) => ({ parameter, sent: isTaken })),
        refuses: [...refuses],
        reports_usage: reportsUsage,
        ...spentShown(spent),
        ...(failure === undefined
          ? {}
          : { failure: { code: failure.code, message: failure.message, ...defined({ hint }) } }),
      };
    }),
    kept: isKept,
  };
}

function spentShown({ requests, refused, time, tokensIn, tokensOut, cost }: ProbeSpending) {
  return {
    requests,
    refused,
    seconds: secondsOf(time),
    tokens_in: tokensIn,
    tokens_out: tokensOut,
    ...defined({ cost_usd: cost === undefined ? undefined : dollarsOf(cost) }),
  };
}
