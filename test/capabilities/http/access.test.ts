// HTTP within bounds: where it may go, over every redirect and whatever a name resolves to, and how much it takes in.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CapabilityError } from '../../../src/capabilities/capability-error.ts';
import { type HttpAccess, type HttpCall, reach } from '../../../src/capabilities/http/access.ts';
import { anywhere, networkOf, serve } from './server.ts';

const usual = { method: 'GET', maxBytes: 10_000, timeout: 30_000, signal: new AbortController().signal };
const get = (http: HttpAccess, url: string, more: Partial<HttpCall> = {}) => http.send({ ...usual, url, ...more });

async function refusal(http: HttpAccess, url: string, more: Partial<HttpCall> = {}): Promise<string> {
  return get(http, url, more).then(
    (answer) => `answered ${answer.status}`,
    (thrown: unknown) => {
      expect(thrown).toBeInstanceOf(CapabilityError);
      return (thrown as CapabilityError).code;
    },
  );
}

describe('the list of hosts', () => {
  const verdict = async (allow: readonly string[], url: string) => {
    const network = { lookup: async () => [], isPublic: () => true };
    return (await refusal(reach({ allow, private: false }, network), url)) !== 'HTTP_NOT_ALLOWED';
  };

  test.each([
    ['api.example.com', 'https://api.example.com/x', true],
    ['api.example.com', 'http://API.EXAMPLE.COM./', true],
    ['api.example.com', 'https://api.example.com:8443/', false],
    ['api.example.com', 'https://api.example.com.evil.org/', false],
    ['api.example.com', 'https://evil.org/?api.example.com', false],
    ['example.com', 'https://api.example.com/', false],
    ['*.example.com', 'https://api.example.com/', true],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.example.com', 'https://badexample.com/', false],
    ['https://example.com', 'http://example.com/', false],
    ['example.com:8443', 'https://example.com:8443/', true],
    ['example.com:443', 'https://example.com/', true],
    ['example.com:443', 'http://example.com/', false],
    ['example.com:*', 'http://example.com:1234/', true],
    ['*', 'https://anything.org/', true],
    ['*', 'https://anything.org:22/', false],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
    ['not a host', 'https://example.com/', false],
  ])('%s and %s: %s', async (pattern, url, allowed) => {
    expect(await verdict([pattern], url)).toBe(allowed);
  });

  test('is empty by default', async () => {
    expect(await refusal(reach(undefined), 'https://example.com/')).toBe('HTTP_NOT_ALLOWED');
    expect(await refusal(reach({ allow: [], private: true }), 'https://example.com/')).toBe('HTTP_NOT_ALLOWED');
  });
});

describe('an address', () => {
  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://169.254.169.254/latest/meta-data',
  ])('%s of this machine is not reached, however it is written', async (url) => {
    expect(await refusal(reach({ allow: ['*', '[::1]', '[::ffff:7f00:1]'], private: false }), url)).toBe(
      'HTTP_ADDRESS_PRIVATE',
    );
  });

  test('is refused when a public name resolves to a private address', async () => {
    const { http } = anywhere({ 'public.test': ['10.0.0.7'] });
    expect(await refusal(http, 'http://public.test/')).toBe('HTTP_ADDRESS_PRIVATE');
  });

  test('is refused when one of several resolved addresses is private', async () => {
    const both = ['127.0.0.1', '10.0.0.7'].map((address) => ({ address, family: 4 as const }));
    const http = reach({ allow: ['*'], private: false }, { ...networkOf().network, lookup: async () => both });
    expect(await refusal(http, 'http://public.test/')).toBe('HTTP_ADDRESS_PRIVATE');
  });

  test('is looked up once, so that the checked address is the one reached', async () => {
    const port = await serve((_, response) => response.end('checked'));
    await serve((_, response) => response.end('another'), { host: '127.0.0.2', port });
    const { http, asked } = anywhere({ 'rebinds.test': ['127.0.0.1', '127.0.0.2'] });
    const answer = await get(http, `http://rebinds.test:${port}/`);
    expect([answer.body.toString(), asked]).toEqual(['checked', ['rebinds.test']]);
    expect(await refusal(http, `http://rebinds.test:${port}/`)).toBe('HTTP_ADDRESS_PRIVATE');
  });

  test('is reached although private when the template permits it', async () => {
    const port = await serve(({ headers }, response) => response.end(headers.host));
    const http = reach({ allow: [`localhost:${port}`], private: true });
    expect((await get(http, `http://localhost:${port}/`)).body.toString()).toBe(`localhost:${port}`);
  });

  test.each(['ftp://example.com/', 'file:///etc/passwd', 'nonsense', 'http://user:secret@example.com/'])(
    '%s is none to ask',
    async (url) => {
      expect(await refusal(anywhere().http, url)).toBe('HTTP_URL_INVALID');
    },
  );
});

describe('a redirect', () => {
  const to = (location: string, status = 302) =>
    serve((request, response) => {
      if (request.url === '/end') response.end(JSON.stringify([request.method, request.headers]));
      else response.writeHead(status, { location }).end();
    });

  test('is followed, also a relative one', async () => {
    const port = await to('/end');
    const { http } = anywhere({ 'a.test': ['127.0.0.1'] });
    const answer = await get(http, `http://a.test:${port}/`);
    expect([answer.status, answer.url]).toEqual([200, `http://a.test:${port}/end`]);
  });

  test.each([
    ['http://127.0.0.2:1/', 'HTTP_ADDRESS_PRIVATE'],
    ['http://169.254.169.254:80/', 'HTTP_ADDRESS_PRIVATE'],
    ['http://inside.test:1/', 'HTTP_ADDRESS_PRIVATE'],
    ['file:///etc/passwd', 'HTTP_URL_INVALID'],
  ])('to %s is not', async (location, code) => {
    const port = await to(location);
    const { http } = anywhere({ 'a.test': ['127.0.0.1'], 'inside.test': ['192.168.0.1'] });
    expect(await refusal(http, `http://a.test:${port}/`)).toBe(code);
  });

  test('is refused to a host that is not on the list', async () => {
    const port = await to('http://other.test:1/');
    const { network } = networkOf({ 'a.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] });
    const http = reach({ allow: ['a.test:*'], private: false }, network);
    expect(await refusal(http, `http://a.test:${port}/`)).toBe('HTTP_NOT_ALLOWED');
  });

  test('ends after a limited number of hops in a circle', async () => {
    const port = await to('/again');
    expect(await refusal(anywhere({ 'a.test': ['127.0.0.1'] }).http, `http://a.test:${port}/`)).toBe('HTTP_REDIRECTS');
  });

  test('to another origin carries no credentials', async () => {
    const there = await to('/end');
    const here = await to(`http://b.test:${there}/end`);
    const { http } = anywhere({ 'a.test': ['127.0.0.1'], 'b.test': ['127.0.0.1'] });
    const headers = { Authorization: 'Bearer x', 'X-Api-Key': 'x', Cookie: 'x', Accept: 'text/csv' };
    const answer = await get(http, `http://a.test:${here}/`, { headers });
    const [, seen] = JSON.parse(answer.body.toString());
    expect(seen).toMatchObject({ accept: 'text/csv', host: `b.test:${there}` });
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['authorization']));
    expect(JSON.stringify(seen)).not.toMatch(/Bearer|api-key|cookie/i);
  });

  test.each([
    [302, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ])('%i of what was posted goes on with %s', async (status, method) => {
    const port = await to('/end', status);
    const { http } = anywhere({ 'a.test': ['127.0.0.1'] });
    const answer = await get(http, `http://a.test:${port}/`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    const [seen, headers] = JSON.parse(answer.body.toString());
    expect([seen, headers['content-length'] ?? '0']).toEqual([method, method === 'POST' ? '2' : '0']);
  });
});

describe('a response', () => {
  const at = async (answer: Parameters<typeof serve>[0]) => {
    const port = await serve(answer);
    return { http: anywhere({ 'a.test': ['127.0.0.1'] }).http, url: `http://a.test:${port}/` };
  };

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('that is compressed with %s is read', async (encoding, compress) => {
    const { http, url } = await at((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('hello')),
    );
    expect((await get(http, url)).body.toString()).toBe('hello');
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('that unpacks from %s to more than is taken is given up', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(50_000_000));
    const { http, url } = await at((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
    );
    expect(await refusal(http, url, { maxBytes: 1_000_000 })).toBe('HTTP_BODY_TOO_LARGE');
  });

  test('is not read when its declared length is too large', async () => {
    const { http, url } = await at((_, response) => {
      response.writeHead(200, { 'content-length': 1_000_000_000 }).flushHeaders();
    });
    expect(await refusal(http, url)).toBe('HTTP_BODY_TOO_LARGE');
  });

  test('is given up when it grows too large', async () => {
    const { http, url } = await at((_, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(5_000))) if (response.destroyed) return;
      };
      response.on('drain', more);
      more();
    });
    expect(await refusal(http, url)).toBe('HTTP_BODY_TOO_LARGE');
  });

  test('is given up with its connection when it stalls beyond the timeout', async () => {
    const gone = Promise.withResolvers<void>();
    const { http, url } = await at((request, response) => {
      request.on('close', gone.resolve);
      response.writeHead(200).write('the beginning');
    });
    expect(await refusal(http, url, { timeout: 50 })).toBe('HTTP_TIMEOUT');
    await gone.promise;
  });

  test('is given up with its step when it never begins', async () => {
    const stop = new AbortController();
    const { http, url } = await at(() => stop.abort(new Error('stopped')));
    await expect(get(http, url, { signal: stop.signal })).rejects.toThrow();
  });

  test('is an error when it is cut off', async () => {
    const { http, url } = await at((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('short', () => response.destroy());
    });
    expect(await refusal(http, url)).toBe('HTTP_BODY_BROKEN');
  });

  test.each(['gzip, gzip', 'compress', '__proto__'])('is an error when encoded as %s', async (encoding) => {
    const { http, url } = await at((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end('x'));
    expect(await refusal(http, url)).toBe('HTTP_BODY_BROKEN');
  });

  test('has no body for HEAD, whatever its headers claim', async () => {
    const { http, url } = await at((_, response) => response.writeHead(200, { 'content-length': 1_000_000 }).end());
    expect((await get(http, url, { method: 'HEAD' })).body.length).toBe(0);
  });
});

describe('a header', () => {
  test.each([
    ['Host', 'inside.test'],
    ['Transfer-Encoding', 'chunked'],
    ['Proxy-Authorization', 'x'],
    ['X-Fine', 'a\r\nX-Smuggled: b'],
    ['X Y', 'a'],
  ])('%s is not set by a caller', async (name, value) => {
    expect(await refusal(anywhere().http, 'http://a.test/', { headers: { [name]: value } })).toBe(
      'HTTP_HEADER_REFUSED',
    );
  });
});

test('an unreachable host may be retried', async () => {
  const { http } = anywhere({ 'a.test': ['127.0.0.1'], 'nowhere.test': [] });
  const refused = await get(http, 'http://nowhere.test/').catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({ code: 'HTTP_UNREACHABLE', retry: 'may' });
  expect(await refusal(http, 'http://a.test:1/')).toBe('HTTP_UNREACHABLE');
});
