// Groups modules into few chunks, because Node takes half a millisecond to load each module, however small.
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { BUILTIN } from './builtins.ts';

/** The modules that start each chunk, by the chunk's name. A chunk takes their imports, save those of the rows above. */
export type ChunkRows = Readonly<Record<string, readonly string[]>>;

interface CodeGroup {
  readonly name: string;
  readonly priority: number;
  readonly test: (id: string) => boolean;
}

export interface Chunks {
  /** Finds the chunk of each module when the graph is known. */
  readonly plugin: Plugin;
  readonly groups: CodeGroup[];
}

/** @param entries the modules that stay files of their own */
export function chunksOf(rows: ChunkRows, entries: readonly string[]): Chunks {
  let chunks: ReadonlyMap<string, string> = new Map();
  const names = Object.keys(rows);
  return {
    plugin: {
      name: 'chunks',
      buildEnd() {
        chunks = chunkNames(rows, entries, (id) => this.getModuleInfo(id));
      },
    },
    // Earlier rows take shared modules first.
    groups: names.map((name, nth) => ({ name, priority: names.length - nth, test: (id) => chunks.get(id) === name })),
  };
}

export function sourceFile(name: string): string {
  return join(import.meta.dirname, '../../src', `${name}.ts`);
}

type ModuleInfo = (id: string) => { readonly importedIds: readonly string[] } | null;

function chunkNames(rows: ChunkRows, entries: readonly string[], info: ModuleInfo): ReadonlyMap<string, string> {
  const [first = ''] = Object.keys(rows);
  const found = new Map<string, string>();
  const take = (id: string, name: string): void => {
    if (found.has(id)) return;
    found.set(id, id.startsWith(BUILTIN) ? first : name);
    for (const each of info(id)?.importedIds ?? []) take(each, name);
  };
  for (const [name, modules] of Object.entries(rows)) for (const each of modules) take(known(each, info), name);
  for (const each of entries) found.delete(sourceFile(each));
  return found;
}

function known(name: string, info: ModuleInfo): string {
  const id = sourceFile(name);
  if (info(id) === null) throw new Error(`no program loads ${id}; name the module that took its place`);
  return id;
}
