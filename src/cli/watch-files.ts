// Repeats work whenever one of the watched files, or a file that one of them names, changes.
import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';

/** Milliseconds to wait after a change, since editors write a file in several steps. */
const SETTLE = 60;

const FILE = /[\w./@-]+\.(?:ya?ml|json|[cm]?[jt]s)\b/g;

/** Runs until a signal tells the process to stop, which then counts as a normal end. */
export async function watchFiles(files: readonly string[], work: () => Promise<void>): Promise<void> {
  const stopped = new Promise<'stopped'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve('stopped'));
  });
  for (;;) {
    const { promise: changed, resolve } = Promise.withResolvers<'changed'>();
    const watching = foldersOf(files).map((folder) => watchFolder(folder, () => resolve('changed')));
    await work();
    const what = await Promise.race([changed, stopped]);
    for (const each of watching) each.close();
    if (what === 'stopped') return;
    await pass(SETTLE);
  }
}

function watchFolder(folder: string, changed: () => void): FSWatcher {
  const watcher = watch(folder, (_, name) => {
    if (name === null || (name.search(FILE) === 0 && !name.startsWith('.'))) changed();
  });
  return watcher.on('error', changed);
}

/** Folders are watched instead of files, because editors replace a file with a new one. */
function foldersOf(files: readonly string[]): readonly string[] {
  const named = files.flatMap((file) => {
    const names = [...(readText(file)?.matchAll(FILE) ?? [])].map(([name]) => join(dirname(file), name));
    return [file, ...names.filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile() === true)];
  });
  const folders = new Set(named.map((file) => dirname(file)));
  return [...folders].filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
