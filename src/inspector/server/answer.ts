// Answers admitted requests: the page's files, the stream, values by digest, gates, and orders.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Issue, issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { unknownGate } from '../../engine/order/answer-gate.ts';
import type { GateView } from '../../engine/state/run-view.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { StoreRefused, storeIssue } from '../../store/store-refused.ts';
import { isSame, runDiff } from '../../view/diff/run-diff.ts';
import { runDiffText } from '../../view/diff/run-diff-text.ts';
import { type Line, span } from '../../view/line.ts';
import type { BoundReply, LogsAnswer, PostReply } from '../wire.schema.ts';
import type { Drivers } from './drivers.ts';
import { gateForm } from './gate-form.ts';
import type { OncePerKey } from './once.ts';
import type { PageFiles } from './page-files.ts';
import { readLogQuery } from './read-log-query.ts';
import { keyOf, readFork, readGateAnswer, readOrder, signatureOf } from './read-order.ts';
import { send, sendJson, sendText } from './respond.ts';
import type { Project } from './start-form.ts';
import { startInfo, startWork } from './start-routes.ts';
import { type StreamSource, stream } from './stream.ts';

export interface ServerContext extends StreamSource {
  readonly drivers: Drivers;
  readonly files: PageFiles;
  /** Signs the orders that carry no signature. */
  readonly by: string;
  readonly once: OncePerKey;
  /** The templates that can be started from the page. */
  readonly project: Project;
}

const NOTHING_HERE = 'there is nothing at this address';
const MOST_BYTES = 1_000_000;
/** The most runs in a list, unless the page asks for more. */
const SENT_RUNS = 1_000;

const DIGEST = /^api\/blobs\/([\w-]{22})$/;
const DIFF = /^api\/runs\/(\w+)\/diff\/(\w+)$/;
const GATE = /^api\/runs\/(\w+)\/gates\/(\w+)$/;
const LOGS = /^api\/runs\/(\w+)\/logs$/;
const ORDERS = /^api\/runs\/(\w+)\/(orders|forks)$/;

export async function answer(
  served: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<void> {
  if (request.method === 'POST') return answerOrder(served, request, response, path);
  const file = served.files.get(path);
  if (file !== undefined) return send(response, 200, file.type, file.body);
  if (path === 'api/stream') {
    const after = Number(request.headers['last-event-id'] ?? query.get('after') ?? 0);
    const runs = Number(query.get('runs') ?? SENT_RUNS);
    const asked = {
      run: query.get('run') ?? undefined,
      after: Number.isSafeInteger(after) ? after : 0,
      runs: Number.isSafeInteger(runs) && runs > 0 ? runs : SENT_RUNS,
    };
    return stream(served, response, asked, signal);
  }
  const info = await startInfo(served, path, query);
  if (info !== undefined) return sendJson(response, info.status, info.value);
  const [, digest] = DIGEST.exec(path) ?? [];
  const blob = digest === undefined ? undefined : served.journal.blob(digest);
  if (blob !== undefined) return send(response, 200, 'application/json; charset=utf-8', blob);
  const [, left, right] = DIFF.exec(path) ?? [];
  if (left !== undefined && right !== undefined) {
    const compared = compareRuns(served, left, right);
    return compared.ok ? sendJson(response, 200, compared.value) : sendJson(response, 404, { issues: compared.error });
  }
  const [, logged] = LOGS.exec(path) ?? [];
  if (logged !== undefined) {
    const found = served.engine.logs(logged, readLogQuery(query));
    return found.ok
      ? sendJson(response, 200, { lines: found.value } satisfies LogsAnswer)
      : sendJson(response, 404, { issues: found.error });
  }
  const [, run, gate] = GATE.exec(path) ?? [];
  if (run === undefined || gate === undefined) return sendText(response, 404, NOTHING_HERE);
  const found = findGate(served, run, gate);
  if (!found.ok) return sendJson(response, 404, { issues: found.error });
  return sendJson(response, 200, await gateForm(found.value.record, found.value.gate));
}

async function answerOrder(
  served: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return sendText(response, 400, 'an order is JSON of at most a megabyte');
  const work = workFor(served, path, body);
  if (work === undefined) return sendText(response, 404, NOTHING_HERE);
  if (served.journal.readOnly === true) return sendJson(response, 200, refusal([readOnly()]));
  // A refused order still has the status 200, because browsers log an error for other statuses.
  const key = keyOf(body);
  sendJson(response, 200, await served.once(key === undefined ? undefined : `${path} ${key}`, work));
}

/** Undefined if the body is not JSON or is too large. */
async function readBody(request: IncomingMessage): Promise<Json | undefined> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_BYTES) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as Json;
  } catch {
    return undefined;
  }
}

/** The work for a posted request; undefined for an address that takes no orders. */
function workFor(served: ServerContext, path: string, body: Json): (() => Promise<PostReply | BoundReply>) | undefined {
  const [, answered, gate] = GATE.exec(path) ?? [];
  if (answered !== undefined && gate !== undefined) return () => reply(served, answered, gate, body);
  const [, run, what] = ORDERS.exec(path) ?? [];
  if (run === undefined) return startWork(served, path, body);
  return () => (what === 'forks' ? fork(served, run, body) : order(served, run, body));
}

async function reply(served: ServerContext, run: string, gate: string, body: Json): Promise<PostReply> {
  const found = findGate(served, run, gate);
  const read = found.ok ? await readGateAnswer(found.value.gate, body, served.by) : found;
  return read.ok ? served.drivers.order(run, read.value.order, read.value.place) : refusal(read.error);
}

async function order({ engine, drivers, by }: ServerContext, run: string, body: Json): Promise<PostReply> {
  const record = engine.read(run);
  const read = record.ok ? readOrder(record.value.state, body, by) : record;
  return read.ok ? drivers.order(run, read.value) : refusal(read.error);
}

/** Looser limits are allowed too, because a person typed them. */
async function fork({ drivers, by }: ServerContext, run: string, body: Json): Promise<PostReply> {
  const read = readFork(body);
  if (!read.ok) return refusal(read.error);
  const { at, budget = {} } = read.value;
  return drivers.fork(run, at, { ...signatureOf(read.value, by), budget, raise: true });
}

function refusal(issues: readonly Issue[]): PostReply {
  return { ok: false, issues };
}

function readOnly(): Issue {
  return issue('STORE_READ_ONLY', 'this store can be read, but not written: no order is taken', {
    hint: 'make the file and its folder writable, and start the inspector again',
  });
}

/** The lines that `reconverge diff` prints. */
function compareRuns({ engine }: ServerContext, left: string, right: string): Result<readonly Line[]> {
  const [before, after] = [engine.read(left), engine.read(right)];
  if (!before.ok) return before;
  if (!after.ok) return after;
  const difference = runDiff(before.value, after.value);
  return good(isSame(difference) ? [[span('no difference', 'good')]] : runDiffText(difference));
}

function findGate(
  { engine }: ServerContext,
  run: string,
  id: string,
): Result<{ readonly record: RunRecord; readonly gate: GateView }> {
  const record = engine.read(run);
  if (!record.ok) return record;
  const gate = record.value.state.gates.get(id);
  return gate === undefined ? bad([unknownGate(record.value.state, id)]) : good({ record: record.value, gate });
}

/** The reply to a request that failed because of a bug. */
export function faultAnswer(error: unknown): PostReply {
  if (error instanceof StoreRefused) return refusal([storeIssue(error)]);
  const message = error instanceof Error ? error.message : String(error);
  return refusal([issue('INSPECTOR_FAULT', message, { hint: 'reload the page: nothing that was recorded is lost' })]);
}
