// What the server answers to whom it has let in: the page's files, the stream, values by digest, gates, and orders.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { issue } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { unknownGate } from '../../engine/gate/review-gate.ts';
import type { Gate } from '../../engine/state.ts';
import type { RunRecord } from '../../runtime/run-record.ts';
import type { Answered } from '../wire.ts';
import { compare } from './compare.ts';
import type { Drivers } from './drivers.ts';
import { gateForm } from './gate-form.ts';
import type { PageFiles } from './page-files.ts';
import { readBody } from './read-body.ts';
import { readReply, readWish } from './read-reply.ts';
import { send, sendJson, sendText } from './respond.ts';
import { stream, type Told } from './stream.ts';

export interface Served extends Told {
  readonly drivers: Drivers;
  readonly files: PageFiles;
  /** Who gives the orders. */
  readonly by: string;
}

const DIGEST = /^api\/blobs\/([\w-]{22})$/;
const DIFF = /^api\/runs\/(\w+)\/diff\/(\w+)$/;
const GATE = /^api\/runs\/(\w+)\/gates\/(\w+)$/;
const ORDERS = /^api\/runs\/(\w+)\/orders$/;

export async function answer(
  served: Served,
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
    return stream(served, response, query.get('run') ?? undefined, Number.isSafeInteger(after) ? after : 0, signal);
  }
  const [, digest] = DIGEST.exec(path) ?? [];
  const blob = digest === undefined ? undefined : served.journal.blob(digest);
  if (blob !== undefined) return send(response, 200, 'application/json; charset=utf-8', blob);
  const [, left, right] = DIFF.exec(path) ?? [];
  if (left !== undefined && right !== undefined) {
    const compared = compare(served.engine, left, right);
    return compared.ok ? sendJson(response, 200, compared.value) : sendJson(response, 404, { issues: compared.issues });
  }
  const [, run, gate] = GATE.exec(path) ?? [];
  if (run === undefined || gate === undefined) return sendText(response, 404, 'there is nothing at this address');
  const found = findGate(served, run, gate);
  if (!found.ok) return sendJson(response, 404, { issues: found.issues });
  return sendJson(response, 200, await gateForm(found.value.record, found.value.gate));
}

async function answerOrder(
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return sendText(response, 400, 'an order is JSON of at most a megabyte');
  const { drivers, by } = served;
  const [, run, gate] = GATE.exec(path) ?? [];
  const [, ordered] = ORDERS.exec(path) ?? [];
  if (ordered !== undefined) {
    const order = readWish(body, by);
    return tell(response, order.ok ? await drivers.order(ordered, order.value) : { ok: false, issues: order.issues });
  }
  if (run === undefined || gate === undefined) return sendText(response, 404, 'there is nothing at this address');
  const found = findGate(served, run, gate);
  const read = found.ok ? await readReply(found.value.gate, body, by) : found;
  if (!read.ok) return tell(response, { ok: false, issues: read.issues });
  return tell(response, await drivers.order(run, read.value.order, read.value.place));
}

/** To be refused is an answer as any other: browsers would tell of an error. */
function tell(response: ServerResponse, answered: Answered): void {
  sendJson(response, 200, answered);
}

function findGate(
  { engine }: Served,
  run: string,
  id: string,
): Result<{ readonly record: RunRecord; readonly gate: Gate }> {
  const record = engine.read(run);
  if (!record.ok) return record;
  const gate = record.value.state.gates.get(id);
  return gate === undefined ? bad([unknownGate(record.value.state, id)]) : good({ record: record.value, gate });
}

/** What is said of a fault of ours. */
export function faultAnswer(error: unknown): Answered {
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, issues: [issue('INSPECTOR_FAULT', message, { hint: 'nothing that was recorded is lost' })] };
}
