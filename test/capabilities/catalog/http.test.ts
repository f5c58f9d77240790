// http.*: responses become data, refusals become failures, and idempotency keys prevent repetition.
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { callCapability } from '../../../src/capabilities/call.ts';
import type { Capability } from '../../../src/capabilities/capability.ts';
import { emitWebhook, httpDelete, httpDownload, httpGet, httpRequest } from '../../../src/capabilities/catalog/http.ts';
import { contractOf } from '../../../src/contract/contract.ts';
import { anywhere, serve } from '../http/server.ts';
import { contextIn, folderWith } from '../workbench.ts';

async function calling(answer: RequestListener) {
  const port = await serve(answer);
  const base = await folderWith();
  const { http } = anywhere({ 'a.test': ['127.0.0.1'] });
  const call = (capability: Capability, input: { readonly [key: string]: Json } = {}) =>
    callCapability(capability, { url: `http://a.test:${port}/`, ...input }, contextIn(base, { http }));
  return { call, base };
}

/** Answers what it was asked, as JSON. */
const echo: RequestListener = (request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const { method, url, headers } = request;
    const body = Buffer.concat(pieces).toString();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ method, url, headers, body }));
  });
};

describe('http.get', () => {
  test('returns JSON as data', async () => {
    const { call } = await calling(echo);
    const called = await call(httpGet, { query: { q: 'a b', n: 2 }, headers: { 'x-key': 'k' } });
    expect(called).toMatchObject({
      ok: true,
      value: { status: 200, json: { method: 'GET', url: '/?q=a+b&n=2', headers: { 'x-key': 'k' }, body: '' } },
    });
    expect(contractOf(httpGet.declaration.output ?? {}).check(called.ok ? called.value : null).ok).toBe(true);
  });

  test('returns other text as text, in its declared encoding', async () => {
    const { call } = await calling((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from([0x67, 0xfc])),
    );
    expect(await call(httpGet)).toMatchObject({ value: { text: 'gü', bytes: 2 } });
  });

  test('refuses binary responses, and names the capability for them', async () => {
    const { call } = await calling((_, response) => response.end(Buffer.from([0, 1, 2])));
    expect(await call(httpGet)).toMatchObject({
      error: { code: 'HTTP_NOT_TEXT', message: expect.stringContaining('http.download') },
    });
  });

  test.each([
    [404, 'never'],
    [429, 'may'],
    [503, 'may'],
  ])('fails for status %i, and says whether to try again', async (status, retry) => {
    const { call } = await calling((_, response) =>
      response.writeHead(status, { 'retry-after': '7' }).end('it is\nso'),
    );
    expect(await call(httpGet)).toMatchObject({
      error: {
        code: 'HTTP_STATUS',
        message: expect.stringContaining(`${status}: it is so`),
        retry,
        retryAfter: 7_000,
      },
    });
    expect(await call(httpGet, { accept_status: [status] })).toMatchObject({ ok: true, value: { status } });
  });

  test('reports invalid JSON with a JSON content type', async () => {
    const { call } = await calling((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
    );
    expect(await call(httpGet)).toMatchObject({ error: { code: 'JSON_BROKEN' } });
  });

  test('answers HEAD with headers only', async () => {
    const { call } = await calling(echo);
    expect(await call(httpGet, { method: 'HEAD' })).toMatchObject({ value: { status: 200, bytes: 0 } });
  });

  test('accepts no writing method', async () => {
    const { call } = await calling(echo);
    expect(await call(httpGet, { method: 'POST' })).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  });
});

describe('a writing request', () => {
  test('sends its data with an idempotency key', async () => {
    const { call } = await calling(echo);
    expect(await call(httpRequest, { json: { a: 1 } })).toMatchObject({
      value: {
        json: {
          method: 'POST',
          body: '{"a":1}',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'run_1/step#1' },
        },
      },
    });
    expect(await call(httpRequest, { method: 'PUT', text: 'x', content_type: 'text/csv' })).toMatchObject({
      value: { json: { method: 'PUT', body: 'x', headers: { 'content-type': 'text/csv' } } },
    });
  });

  test('that deletes treats a missing resource as deleted', async () => {
    const { call } = await calling((_, response) => response.writeHead(410).end());
    expect(await call(httpDelete)).toMatchObject({ ok: true, value: { status: 410 } });
  });

  test('that announces an event names its type, its run and one id', async () => {
    const { call } = await calling(echo);
    const seen: Json[] = [];
    const { call: hook } = await calling((request, response) => {
      request.on('data', (piece: Buffer) => seen.push(JSON.parse(piece.toString())));
      request.on('end', () => response.writeHead(202).end());
    });
    expect(await hook(emitWebhook, { type: 'order.shipped', data: { id: 7 } })).toMatchObject({
      value: { id: 'run_1/step#1', type: 'order.shipped', status: 202 },
    });
    expect(seen).toMatchObject([{ id: 'run_1/step#1', type: 'order.shipped', run: 'run_1', data: { id: 7 } }]);
    expect(await call(emitWebhook, { type: '' })).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  });
});

describe('http.download', () => {
  test('keeps the bytes unchanged', async () => {
    const { call, base } = await calling((_, response) => response.end(Buffer.from([0, 255])));
    expect(await call(httpDownload, { path: 'in/x.bin' })).toMatchObject({ value: { path: 'in/x.bin', bytes: 2 } });
    expect(await readFile(join(base, 'in/x.bin'))).toEqual(Buffer.from([0, 255]));
  });

  test('sends no request when the file may not be written', async () => {
    let asked = 0;
    const { call } = await calling((_, response) => {
      asked += 1;
      response.end();
    });
    expect(await call(httpDownload, { path: '../x' })).toMatchObject({ error: { code: 'FILE_OUTSIDE_ROOTS' } });
    expect(asked).toBe(0);
  });
});

test('no address may be reached unless the template allows it', async () => {
  const base = await folderWith();
  expect(await callCapability(httpGet, { url: 'https://example.com/' }, contextIn(base))).toMatchObject({
    error: { code: 'HTTP_NOT_ALLOWED', retry: 'never', message: expect.stringContaining('http: { allow:') },
  });
});
