// The words that call the command line again: printed commands begin with them, so that a person can type the commands as they are.
import { accessSync, constants } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installation, isCheckout } from '../capabilities/installation.ts';

/** How the program was called. */
export interface ProgramCall {
  /** The folder of the installed package. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a file can be executed. */
  readonly isExecutable: (file: string) => boolean;
}

/** The words that call the command line from a folder; in a checkout they run it from source. */
export function programFrom(folder: string): string {
  if (!isCheckout)
    return programOf({ folder: fileURLToPath(installation), env: process.env, isExecutable: canExecute });
  return `${relative(folder, fileURLToPath(new URL('scripts/dev', installation)))} exec reconverge`;
}

/**
 * `reconverge` when a shell finds it; else the words of the package manager that started it. Package managers add the
 * programs of a project to PATH for their children only, so these entries do not count.
 */
export function programOf({ folder, env, isExecutable }: ProgramCall): string {
  const path = folder.replaceAll('\\', '/');
  if (!path.includes('/node_modules/')) return 'reconverge';
  const manager = managerOf(env);
  const fetched = fetchedWith(path, env);
  if (fetched !== undefined) return fetched;
  const isStarted = manager !== undefined || env.npm_execpath !== undefined;
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter);
  const own = folders.filter(
    (each) => each !== '' && !(isStarted && /[\\/]node_modules([\\/]|$)|node-gyp-bin/.test(each)),
  );
  if (own.some((each) => ['reconverge', 'reconverge.cmd'].some((name) => isExecutable(join(each, name))))) {
    return 'reconverge';
  }
  return manager === undefined ? 'npx reconverge' : inProject[manager];
}

const inProject = {
  npm: 'npx reconverge',
  pnpm: 'pnpm exec reconverge',
  yarn: 'yarn reconverge',
  bun: 'bunx reconverge',
} as const;

type Manager = keyof typeof inProject;

function managerOf({ npm_config_user_agent: agent = '' }: ProgramCall['env']): Manager | undefined {
  const [name = ''] = agent.split('/');
  return name === 'npm' || name === 'pnpm' || name === 'yarn' || name === 'bun' ? name : undefined;
}

/** The call of a program that was fetched for this call only; undefined for an installed one. */
function fetchedWith(path: string, env: ProgramCall['env']): string | undefined {
  if (path.includes('/_npx/')) {
    const from = env.npm_config_package;
    return from === undefined || from === '' ? 'npx reconverge' : `npx --package=${from} reconverge`;
  }
  if (/\/bunx-/.test(path)) return 'bunx reconverge';
  if (!/\/dlx(-[^/]*)?\//.test(path)) return undefined;
  return managerOf(env) === 'yarn' ? 'yarn dlx reconverge' : 'pnpm dlx reconverge';
}

function canExecute(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Rewrites the commands in a text such as `reconverge run FILE`, so that they can be typed in this folder. */
export function asTyped(text: string): string {
  const program = programFrom('.');
  return program === 'reconverge' ? text : text.replaceAll(/(?<![\w/.-])reconverge (?=[a-z])/g, `${program} `);
}
