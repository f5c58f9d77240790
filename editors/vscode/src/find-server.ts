// Finds the language server: the setting, the project's own package, or the program on PATH.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** A program and its arguments, without `lsp`. */
export interface ServerProgram {
  readonly command: string;
  readonly arguments: readonly string[];
  /** Windows starts `.cmd` files only through a shell. */
  readonly shell: boolean;
  readonly from: 'setting' | 'project' | 'PATH';
}

export interface Surroundings {
  /** The settings that count here: VS Code leaves those of an untrusted workspace out. */
  readonly path: string;
  readonly node: string;
  /** The folder of the workspace, and the folder of the template inside it. */
  readonly folder: string | undefined;
  readonly beside: string | undefined;
  /** All folders of the workspace; nothing in them runs until the workspace is trusted. */
  readonly folders: readonly string[];
  readonly trusted: boolean;
  readonly searchPath: string;
  readonly windows: boolean;
}

/** Undefined when there is no server that may run. */
export function findServer(at: Surroundings): ServerProgram | undefined {
  // A wrong setting is better noticed than replaced by another version.
  if (at.path !== '') return fromSetting(at);
  return fromProject(at) ?? fromSearchPath(at);
}

function fromSetting(at: Surroundings): ServerProgram | undefined {
  const file = isAbsolute(at.path) ? at.path : at.folder === undefined ? undefined : resolve(at.folder, at.path);
  if (file === undefined || !mayRun(file, at)) return undefined;
  return program(file, 'setting', at);
}

function fromProject(at: Surroundings): ServerProgram | undefined {
  if (!at.trusted || at.beside === undefined) return undefined;
  for (const folder of foldersUp(at.beside)) {
    const home = join(folder, 'node_modules', 'reconverge');
    const main = mainOf(home);
    if (main !== undefined) return program(join(home, main), 'project', at);
  }
  return undefined;
}

/** The program that `bin` of the package names. */
function mainOf(home: string): string | undefined {
  try {
    const described: unknown = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    if (typeof described !== 'object' || described === null || !('bin' in described)) return undefined;
    const { bin } = described;
    if (typeof bin === 'string') return bin;
    if (typeof bin !== 'object' || bin === null || !('reconverge' in bin)) return undefined;
    return typeof bin.reconverge === 'string' ? bin.reconverge : undefined;
  } catch {
    return undefined;
  }
}

function fromSearchPath(at: Surroundings): ServerProgram | undefined {
  const found = onSearchPath('reconverge', at);
  return found === undefined ? undefined : program(found, 'PATH', at);
}

/** JavaScript runs with `node`; anything else is a program of its own. */
function program(file: string, from: ServerProgram['from'], at: Surroundings): ServerProgram | undefined {
  if (!/\.[cm]?js$/.test(file)) {
    return { command: file, arguments: [], shell: at.windows && /\.(?:cmd|bat)$/i.test(file), from };
  }
  const node = at.node === '' ? onSearchPath('node', at) : at.node;
  return node === undefined ? undefined : { command: node, arguments: [file], shell: false, from };
}

/** The absolute path of a program. Relative parts of PATH never count: the shell would look in the workspace. */
function onSearchPath(name: string, at: Surroundings): string | undefined {
  const endings = at.windows ? ['.exe', '.cmd', '.bat'] : [''];
  return at.searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)))
    .find((file) => isFile(file) && mayRun(file, at));
}

function mayRun(file: string, at: Surroundings): boolean {
  if (!isFile(file)) return false;
  return at.trusted || !at.folders.some((folder) => isInside(real(file), real(folder)) || isInside(file, folder));
}

function isInside(file: string, folder: string): boolean {
  const way = relative(folder, file);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

function real(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** A folder and the folders above it, the nearest first. */
function foldersUp(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUp(above)];
}
