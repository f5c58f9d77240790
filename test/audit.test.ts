// scripts/audit judges the answers of a registry.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import lock from '../package-lock.json' with { type: 'json' };

const packages: Readonly<Record<string, { readonly version?: string }>> = lock.packages;

interface Outcome {
  readonly code: number;
  readonly text: string;
}

/** @param registry its address */
function audit(registry: string): Promise<Outcome> {
  // npm keeps what it was told of a hole.
  const cache = mkdtempSync(join(tmpdir(), 'reconverge-npm-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: cache };
  return new Promise((resolve) => {
    execFile('sh', [join(import.meta.dirname, '../scripts/audit')], { env }, (error, said, complained) => {
      resolve({ code: Number(error?.code ?? 0), text: said + complained });
    });
  });
}

/** A registry that knows one thing of `yaml`, this bad; absent: nothing of anything. */
async function registryThatKnows(severity?: string): Promise<string> {
  const hole = { id: 1, title: 'a hole', severity, url: 'https://example.org/1', vulnerable_versions: '<99', cwe: [] };
  const advisories = severity === undefined ? {} : { yaml: [hole] };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      const name = decodeURIComponent(request.url?.slice(1) ?? '');
      response.end(JSON.stringify(request.method === 'POST' ? advisories : packument(name)));
    });
  });
  return listening(server);
}

/** The reply to npm's question for the versions of a vulnerable package: the installed version only. */
function packument(name: string): object {
  const version = packages[`node_modules/${name}`]?.version ?? '1.0.0';
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version } } };
}

/** One that serves packages and nothing else. */
function registryWithoutAudit(): Promise<string> {
  return listening(
    createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(405, { allow: 'GET,HEAD' }).end());
    }),
  );
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('passes where nothing is known', async () => {
  expect(await audit(await registryThatKnows())).toMatchObject({ code: 0, text: /found 0 vulnerabilities/ });
});

test('passes over what is moderate', async () => {
  expect((await audit(await registryThatKnows('moderate'))).code).toBe(0);
});

test('fails on a known hole that is high, and says which', async () => {
  const { code, text } = await audit(await registryThatKnows('high'));
  expect(code).toBe(1);
  expect(text).toContain('a hole');
});

test('says that it could not ask where the registry knows no audits, or cannot be reached', async () => {
  for (const registry of [await registryWithoutAudit(), 'http://127.0.0.1:9/']) {
    const { code, text } = await audit(registry);
    expect(code).toBe(0);
    expect(text).toContain('not audited');
  }
});
