// Answers the requests of a page that starts templates of the project: the list, the form, the bound, and the start.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import type { BoundReply, BoundRequest, PostReply, StartRequest } from '../wire.schema.ts';
import type { Drivers } from './drivers.ts';
import { checkedOrder, signatureOf, signatureShape } from './read-order.ts';
import { type Project, startForm, templateList } from './start-form.ts';
import { asTyped, boundOfStart, readStart } from './start-order.ts';

interface StartContext {
  readonly engine: Engine;
  readonly drivers: Drivers;
  readonly project: Project;
  readonly by: string;
}

interface FoundAnswer {
  readonly status: number;
  readonly value: unknown;
}

/** Undefined for another path. */
export async function startInfo(
  { engine, project }: StartContext,
  path: string,
  query: URLSearchParams,
): Promise<FoundAnswer | undefined> {
  if (path === 'api/templates') return { status: 200, value: await templateList(project) };
  if (path !== 'api/start') return undefined;
  const asked = (name: string): string | undefined => query.get(name) ?? undefined;
  const form = await startForm(engine, project, {
    file: asked('file'),
    run: asked('run'),
    environment: asked('environment'),
  });
  return form.ok ? { status: 200, value: form.value } : { status: 404, value: { issues: form.error } };
}

const texts: JsonObject = { type: 'object', additionalProperties: { type: 'string' } };

const choices = {
  file: { type: 'string' },
  environment: { type: 'string' },
  fields: texts,
  text: { type: 'string' },
  budget: texts,
  models: texts,
  planners: texts,
};

const bound: JsonObject = { type: 'object', required: ['file'], properties: choices, additionalProperties: false };
const start: JsonObject = { ...bound, properties: { ...signatureShape, ...choices } };

/** Undefined for another path. */
export function startWork(
  { engine, drivers, project, by }: StartContext,
  path: string,
  body: Json,
): (() => Promise<PostReply | BoundReply>) | undefined {
  if (path === 'api/bound') {
    return async () => {
      const asked = checkedOrder<BoundRequest>(bound, body);
      return asked.ok ? boundOfStart(engine, project, asked.value) : { ok: false, issues: asked.error };
    };
  }
  if (path !== 'api/starts') return undefined;
  return async () => {
    const asked = checkedOrder<StartRequest>(start, body);
    if (!asked.ok) return { ok: false, issues: asked.error };
    const read = await readStart(engine, project, asked.value);
    if (!read.ok) return { ok: false, issues: read.error };
    const { template, choices: chosen, input } = read.value;
    const started = await drivers.start(template, { ...chosen, input, by: signatureOf(asked.value, by).by });
    return started.ok ? started : { ok: false, issues: started.issues.map(asTyped) };
  };
}
