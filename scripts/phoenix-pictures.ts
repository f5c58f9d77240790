// Makes the picture of docs/tracing.md: sends a recorded run to a real Phoenix, and photographs Phoenix's page in Chromium.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { installPhoenix } from './test-backends/install.ts';
import { type Backend, servePhoenix } from './test-backends/serve.ts';

const root = join(import.meta.dirname, '..');
const template = (name: string): string => join(root, 'templates', name);
const replay = ['--replay', template('cassettes/research-and-compare.json')];

await using phoenix = await started();

const folder = mkdtempSync(join(tmpdir(), 'reconverge-pictures-'));
const run = await command('run', template('research-and-compare.yaml'), ...replay, '--quiet', '--no-ask').then(told);
await command('review', run.run, 'g1', '--approve', ...replay, '--quiet');
await command('trace', 'latest', '--otlp', phoenix.http);
rmSync(folder, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
page.setDefaultTimeout(240_000);
await page.goto(`${phoenix.query}/projects/UHJvamVjdDox/traces/${run.trace}`);
await page.getByText('invoke_agent researcher').first().waitFor();
await photograph('phoenix-trace');
await browser.close();

async function command(...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'src/cli/main.ts'), ...words], {
    cwd: folder,
    env: { ...process.env, OTEL_EXPORTER_OTLP_TIMEOUT: '60000' },
  }).catch((ended: { readonly stdout: string }) => ended);
  return stdout;
}

async function told(): Promise<{ readonly run: string; readonly trace: string }> {
  return JSON.parse(await command('trace', 'latest', '--json'));
}

async function photograph(name: string): Promise<void> {
  // Lists fade in.
  await page.waitForTimeout(2_000);
  await page.screenshot({ path: join(root, `docs/pictures/${name}.png`) });
}

/** The Phoenix that RECONVERGE_TEST_PHOENIX names, as test:backends does, or one of our own. */
async function started(): Promise<Pick<Backend, 'http' | 'query'> & AsyncDisposable> {
  const said = process.env.RECONVERGE_TEST_PHOENIX;
  if (said !== undefined) return { ...JSON.parse(said), async [Symbol.asyncDispose]() {} };
  const installed = installPhoenix(console.log);
  const served = installed.ok ? await servePhoenix(installed.value) : installed;
  if (!served.ok) throw new Error(served.error);
  return served.value;
}
