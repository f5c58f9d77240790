// Builds Jaeger from its Go module and installs Arize Phoenix from PyPI, pinned, in a cache folder outside the repository.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { bad, good, type Result } from '../../src/base/result.ts';

/** The reason why something cannot be had, for people. */
export type Missing = string;

type Say = (line: string) => void;

/** Jaeger 2.13, whose Go module still counts versions from 1. */
const JAEGER = {
  module: 'github.com/jaegertracing/jaeger',
  version: 'v1.76.0',
  /** The line of go.sum. */
  sum: 'h1:sWCOOF1dr+NL0PLil7mFo3BqqQL8k4WiM7aguFbc14g=',
};

const PHOENIX_PINS = join(import.meta.dirname, '../../tools/backends/phoenix.txt');

export function cacheFolder(): string {
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return process.env.RECONVERGE_TEST_CACHE ?? join(caches, 'reconverge-backends');
}

/** Answers the program, which is built once. The module replaces a dependency, so `go install` refuses it. */
export function installJaeger(say: Say): Result<string, Missing> {
  const folder = join(cacheFolder(), `jaeger-${JAEGER.version}`);
  const program = join(folder, 'jaeger');
  if (existsSync(program)) return good(program);
  mkdirSync(cacheFolder(), { recursive: true });
  const source = downloadJaeger();
  if (!source.ok) return source;
  say(`building Jaeger ${JAEGER.version} in ${folder} (once; 10 to 30 minutes on two cores, 85 MB)`);
  const unfinished = mkdtempSync(join(cacheFolder(), 'jaeger-unfinished-'));
  const words = [
    'build',
    '-trimpath',
    '-buildvcs=false',
    '-ldflags=-s -w',
    '-o',
    join(unfinished, 'jaeger'),
    './cmd/jaeger',
  ];
  const built = spawnSync('nice', ['go', ...words], { cwd: source.value, encoding: 'utf8' });
  if (built.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    return bad(`go cannot build Jaeger: ${lastLine(built.stderr)}`);
  }
  renameSync(unfinished, folder);
  return good(program);
}

function downloadJaeger(): Result<string, Missing> {
  const { module, version, sum } = JAEGER;
  const { status, stdout, stderr, error } = spawnSync('go', ['mod', 'download', '-json', `${module}@${version}`], {
    encoding: 'utf8',
  });
  if (error !== undefined) return bad('Jaeger is built with Go, and go is not on PATH: install Go 1.25 or newer');
  if (status !== 0) return bad(`go cannot download Jaeger: ${lastLine(`${stderr}${stdout}`)}`);
  const found: { readonly Dir?: string; readonly Sum?: string } = JSON.parse(stdout);
  if (found.Sum !== sum) return bad(`${module}@${version} has the checksum ${found.Sum}, but should have ${sum}`);
  return found.Dir === undefined ? bad('go names no folder of the module') : good(found.Dir);
}

/** Answers the Python of an environment that has Phoenix. */
export function installPhoenix(say: Say): Result<string, Missing> {
  const pins = createHash('sha256').update(readFileSync(PHOENIX_PINS)).digest('hex').slice(0, 12);
  const folder = join(cacheFolder(), `phoenix-${pins}`);
  const python = (of: string): string => join(of, 'bin/python3');
  if (existsSync(folder)) return good(python(folder));
  mkdirSync(cacheFolder(), { recursive: true });
  say(`installing Arize Phoenix from PyPI in ${folder} (once; some minutes, 860 MB)`);
  const unfinished = mkdtempSync(join(cacheFolder(), 'phoenix-unfinished-'));
  const steps: readonly (readonly [string, ...string[]])[] = [
    ['python3', '-m', 'venv', unfinished],
    [python(unfinished), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', PHOENIX_PINS],
  ];
  for (const [program, ...words] of steps) {
    const { status, stderr, error } = spawnSync('nice', [program, ...words], { encoding: 'utf8' });
    if (status === 0) continue;
    rmSync(unfinished, { recursive: true, force: true });
    return bad(`Phoenix cannot be installed: ${error?.message ?? lastLine(stderr)}`);
  }
  renameSync(unfinished, folder);
  return good(python(folder));
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? 'no reason was given';
}
