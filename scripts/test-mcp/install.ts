// Fetches the pinned servers into tools/mcp-servers, once for each lock file, and finds their programs.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../tools/mcp-servers');
const modules = process.env.RECONVERGE_MCP_SERVERS ?? join(folder, 'node_modules');

/** Installs the servers. Returns the error message of npm; undefined when the servers are there. */
export function install(): string | undefined {
  if (process.env.RECONVERGE_MCP_SERVERS !== undefined) return undefined;
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(modules, '.lock-stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return undefined;
  console.log('fetching the pinned servers into tools/mcp-servers (some minutes, once)');
  const words = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr, error } = spawnSync('npm', words, { encoding: 'utf8' });
  if (status !== 0) return error?.message ?? stderr.trim();
  writeFileSync(stamp, lock);
  return undefined;
}

/** The path of the package's first program, and its version; undefined when it is not installed. */
export function programOf(name: string): { readonly path: string; readonly version: string } | undefined {
  const at = join(modules, name);
  if (!existsSync(at)) return undefined;
  const { bin, version } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
  const [first] = typeof bin === 'string' ? [bin] : Object.values(bin ?? {});
  return typeof first === 'string' ? { path: join(at, first), version } : undefined;
}
