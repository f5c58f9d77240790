// The trial of real models, tried on a scripted one: what it counts, and what it says without any.
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { researchAndCompare } from '../../scripts/cassettes/research-and-compare.ts';
import type { Script } from '../../src/llm/script.ts';
import { type ModelServer, openModelServer } from '../../src/testing/model-server.ts';
import { root } from '../sources.ts';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function trial(words: readonly string[], script?: Script) {
  const { OPENAI_API_KEY: _, OPENAI_BASE_URL: __, ...inherited } = process.env;
  server = script === undefined ? undefined : await openModelServer({ script });
  const RECONVERGE_STORE = join(mkdtempSync(join(tmpdir(), 'reconverge-trial-')), 'runs.db');
  const env = { ...inherited, RECONVERGE_STORE, ...(server === undefined ? {} : { OPENAI_BASE_URL: server.url }) };
  const running = promisify(execFile)(process.execPath, [join(root, 'scripts/test-llm.ts'), ...words], { env });
  return running.catch((error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error);
}

const pay = (verification: string) => ({
  steps: [{ name: 'pay', type: 'compute', expr: '{:paid 1}', verification }],
});

describe('npm run test:llm', () => {
  it('reports that it did not run without a key and an address, and exits with 0', async () => {
    const said = await trial([]);
    expect(said).not.toHaveProperty('code');
    expect(said.stdout).toMatch(/^test:llm did not run: set OPENAI_API_KEY/);
  });

  it('counts valid fragments, valid predicates, repairs and planned steps', async () => {
    const { stdout } = await trial(
      ['--json', 'triage'],
      [{ reply: { json: pay('(no-such-function 1)') } }, { reply: { json: pay('(= 1 (:paid data/result))') } }],
    );
    expect(JSON.parse(stdout)).toMatchObject([
      {
        template: 'triage-refunds',
        status: 'completed',
        calls: 2,
        rates: {
          fragments: { of: 2, good: 1 },
          predicates: { of: 2, good: 1 },
          repairs: { of: 1, good: 1 },
          steps: 1,
        },
      },
    ]);
  });

  it('approves all gates, and reports all results together', async () => {
    const { stdout } = await trial(['research'], researchAndCompare.script);
    expect(stdout).toMatch(/research-and-compare {2}\w+ {2}completed .* 2 of 3 \(67 %\) .* 1 of 1 \(100 %\)/);
    expect(stdout).toMatch(/all .* 1 of 1 completed/);
  });

  it('exits with 1 when no model has answered', async () => {
    const said = await trial(['triage'], []);
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('no planner has had an answer') });
    expect(said.stdout).toContain('triage-refunds: failed');
  });
});
