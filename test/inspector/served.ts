// Serves the inspector to tests, in this process and with a separate store.
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { PageFiles } from '../../src/inspector/server/page-files.ts';
import { type InspectorServer, serve } from '../../src/inspector/server/serve.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { project } from '../cli/reconverge.ts';
import { expectMessage, expectReply } from './wire-schema.ts';

export interface TestServer extends InspectorServer {
  readonly engine: Engine;
  readonly folder: string;
}

export const token = 'a-token-that-nobody-guesses';

/** Replaces the page in tests that do not look at it. */
const blank: PageFiles = new Map([['', { type: 'text/html; charset=utf-8', body: Buffer.from('<!doctype html>') }]]);

export async function served(files: PageFiles = blank, folder: string = project()): Promise<TestServer> {
  const store = join(folder, '.reconverge/runs.db');
  const engine = createEngine({ store, folder });
  const journal = openSqliteJournal(store);
  const project = {
    folder,
    templates: () => ['plan.yaml', 'template.yaml', 'start.yaml'].filter((file) => existsSync(join(folder, file))),
    read: (file: string) => readFileSync(join(folder, file), 'utf8'),
  };
  const serving = await serve({ engine, journal, files, token, ports: [0], by: 'ann', project });
  if (serving === undefined) throw new Error('there is no free port');
  onTestFinished(async () => {
    await serving.close();
    await journal.close();
    await engine.close();
  });
  return { ...serving, engine, folder };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends exactly this path and these headers, which `fetch` would correct. */
export function ask(
  { url }: Pick<InspectorServer, 'url'>,
  path: string,
  { method = 'GET', headers = {}, body }: Asked = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        try {
          expectReply(method, path, response.headers['content-type'], text);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        } catch (error) {
          reject(error);
        }
      });
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** The headers that the page itself would send. */
export function own({ url }: Pick<InspectorServer, 'url'>): Readonly<Record<string, string>> {
  return { origin: new URL(url).origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
}

/** The messages of the stream up to the first for which `isLast` holds. */
export async function heard(
  url: string,
  query: string,
  isLast: (name: string, data: unknown) => boolean,
): Promise<readonly Message[]> {
  const leave = new AbortController();
  const response = await fetch(`${url}api/stream?${query}`, { signal: leave.signal });
  const messages: Message[] = [];
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const whole = text.split('\n\n');
    text = whole.pop() ?? '';
    for (const each of whole) {
      const message = messageIn(each);
      if (message === undefined) continue;
      expectMessage(message.name, message.data);
      messages.push(message);
      if (isLast(message.name, message.data)) {
        leave.abort();
        return messages;
      }
    }
  }
  return messages;
}

export interface Message {
  readonly name: string;
  readonly id: number | undefined;
  readonly data: unknown;
}

function messageIn(text: string): Message | undefined {
  const lines = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const [name, data, id] = [lines.get('event'), lines.get('data'), lines.get('id')];
  if (name === undefined || data === undefined) return undefined;
  return { name, id: id === undefined ? undefined : Number(id), data: JSON.parse(data) };
}
