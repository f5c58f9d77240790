// Access to the inspector: only its own page on this host, with the token.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPageFiles } from '../../src/inspector/server/page-files.ts';
import { tokenFor } from '../../src/inspector/server/token.ts';
import { project } from '../cli/reconverge.ts';
import { root } from '../sources.ts';
import { ask, own, served, token } from './served.ts';

describe('the door of the inspector', () => {
  it('admits a request with the token', async () => {
    const here = await served();
    expect((await ask(here, `/${token}/`)).status).toBe(200);
  });

  it('is bound to the loopback address', async () => {
    expect(new URL((await served()).url).hostname).toBe('127.0.0.1');
  });

  it.each(['/', '/api/stream', '/another-token/', `/${token}`, `/${token}x/`, `//${token}/`])(
    'turns away %s',
    async (path) => {
      const answer = await ask(await served(), path);
      expect(answer.status).toBe(403);
      expect(answer.text).not.toContain(token);
    },
  );

  it.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', 'localhost.evil.example:80'])(
    'turns away the host name "%s": a name that was rebound leads here too',
    async (host) => {
      const answer = await ask(await served(), `/${token}/`, { headers: { host } });
      expect(answer.status).toBe(403);
    },
  );

  it('accepts localhost as its name, too', async () => {
    const here = await served();
    const answer = await ask(here, `/${token}/`, { headers: { host: `localhost:${new URL(here.url).port}` } });
    expect(answer.status).toBe(200);
  });

  it.each(['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1'])(
    'turns away pages of %s',
    async (origin) => {
      expect((await ask(await served(), `/${token}/`, { headers: { origin } })).status).toBe(403);
    },
  );

  it.each(['cross-site', 'same-site'])('refuses a request that the browser marks as %s', async (site) => {
    expect((await ask(await served(), `/${token}/`, { headers: { 'sec-fetch-site': site } })).status).toBe(403);
  });

  it('refuses an order without its own origin', async () => {
    const here = await served();
    const order = { method: 'POST', body: '{"order":"cancel"}' };
    const { origin: _, ...others } = own(here);
    expect((await ask(here, `/${token}/api/runs/x/orders`, { ...order, headers: others })).status).toBe(403);
    expect((await ask(here, `/${token}/api/runs/x/orders`, { ...order, headers: own(here) })).status).toBe(200);
  });

  it('refuses an order that a form could have sent', async () => {
    const here = await served();
    const headers = { ...own(here), 'content-type': 'text/plain' };
    const answer = await ask(here, `/${token}/api/runs/x/orders`, {
      method: 'POST',
      headers,
      body: '{"order":"cancel"}',
    });
    expect(answer.status).toBe(400);
  });

  it('refuses an order of more than a megabyte', async () => {
    const here = await served();
    const body = JSON.stringify({ order: 'cancel', why: 'x'.repeat(1_100_000) });
    const answer = await ask(here, `/${token}/api/runs/x/orders`, { method: 'POST', headers: own(here), body });
    expect(answer.status).toBe(400);
  });

  it.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH'])('refuses the method %s', async (method) => {
    expect((await ask(await served(), `/${token}/`, { method })).status).toBe(405);
  });

  it.each([
    '../../package.json',
    '..%2f..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    '..\\package.json',
    '/etc/passwd',
    'assets/../../package.json',
    'api/blobs/../../x',
  ])('serves no other file of this host: %s', async (path) => {
    const here = await served(readPageFiles(join(root, 'docs')));
    expect((await ask(here, `/${token}/${path}`)).status).toBe(404);
  });

  it('protects every response: only its own scripts, no frames, no sniffing, no referrer', async () => {
    const here = await served();
    for (const path of [`/${token}/`, `/${token}/nothing`, '/', `/${token}/api/runs/x/gates/g1`]) {
      const { headers } = await ask(here, path);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });
});

describe('the token', () => {
  it('is kept beside the store, readable only by its owner, so that an open page survives a restart', () => {
    const store = join(project(), '.reconverge/runs.db');
    const first = tokenFor(store);
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(tokenFor(store)).toBe(first);
    expect(statSync(join(store, '../inspector-token')).mode & 0o777).toBe(0o600);
  });

  it('is replaced if the kept text is not a token', () => {
    const folder = project({ 'inspector-token': 'short' });
    const made = tokenFor(join(folder, 'runs.db'));
    expect(made).not.toBe('short');
    expect(readFileSync(join(folder, 'inspector-token'), 'utf8')).toBe(made);
  });

  it('also works if it cannot be kept', () => {
    const folder = project({ file: 'x' });
    expect(tokenFor(join(folder, 'file', 'runs.db'))).toMatch(/^[\w-]{43}$/);
  });

  it('differs from store to store', () => {
    expect(tokenFor(join(project(), 'runs.db'))).not.toBe(tokenFor(join(project(), 'runs.db')));
  });
});
