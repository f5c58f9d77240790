// Requests to the server: values by digest, forms of gates, orders.
import type { Issue } from '../../../base/issue.ts';
import type { Json } from '../../../base/json.ts';
import type { StoredValue } from '../../../engine/record/event-parts.schema.ts';
import type { Line } from '../../../view/line.ts';
import type {
  BoundReply,
  BoundRequest,
  GateAnswer,
  GateForm,
  PostReply,
  StartForm,
  StartRequest,
  TemplateList,
} from '../../wire.schema.ts';

const values = new Map<string, Promise<Json>>();

/** A digest always names the same value, so each value is fetched once. */
export function blobOf(digest: string): Promise<Json> {
  const known = values.get(digest);
  if (known !== undefined) return known;
  const fetched = fetchJson<Json>(`api/blobs/${digest}`);
  values.set(digest, fetched);
  fetched.catch(() => values.delete(digest));
  return fetched;
}

export function keptValue(kept: StoredValue): Promise<Json> {
  return 'value' in kept ? Promise.resolve(kept.value) : blobOf(kept.digest);
}

export function gateForm(run: string, gate: string): Promise<GateForm> {
  return fetchJson(`api/runs/${run}/gates/${gate}`);
}

export function comparison(run: string, other: string): Promise<readonly Line[]> {
  return fetchJson(`api/runs/${run}/diff/${other}`);
}

export function answerGate(run: string, gate: string, answer: GateAnswer): Promise<PostReply> {
  return post(`api/runs/${run}/gates/${gate}`, answer);
}

export function templateList(): Promise<TemplateList> {
  return fetchJson('api/templates');
}

/** The form, or the reasons why there is none. */
export async function startForm(
  query: Readonly<Record<string, string>>,
): Promise<StartForm | { readonly issues: readonly Issue[] }> {
  const response = await fetch(`api/start?${new URLSearchParams(query)}`);
  return response.json();
}

export function boundOf(request: BoundRequest): Promise<BoundReply | PostReply> {
  return post('api/bound', request);
}

export function startRun(request: StartRequest): Promise<PostReply> {
  return post('api/starts', request);
}

export async function fetchJson<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

export async function post(path: string, body: unknown): Promise<PostReply> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.headers.get('content-type')?.startsWith('application/json')) return await response.json();
    return noReply(`${response.status} ${await response.text()}`);
  } catch {
    return noReply('the inspector’s server does not answer');
  }
}

function noReply(message: string): PostReply {
  return {
    ok: false,
    issues: [
      {
        code: 'INSPECTOR_AWAY',
        severity: 'error',
        message,
        path: [],
        hint: 'check that `reconverge ui` is still running, and send it again: it is carried out once',
      },
    ],
  };
}
