// Remembers the capabilities of modules until their files change. Each module is read in a thread of its own.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Result } from '../../base/result.ts';
import type { Capability } from '../../capabilities/capability.ts';
import { readModule } from '../../capabilities/module.ts';

export interface ModuleMemory {
  load(path: string, folder: string): Promise<Result<readonly Capability[]>>;
  /** Forgets all modules: one of the files that they import has changed. */
  forget(): void;
}

interface Remembered {
  /** The time and the size of the file that was read. */
  readonly state: string;
  readonly loaded: Promise<Result<readonly Capability[]>>;
}

export function moduleMemory(): ModuleMemory {
  const remembered = new Map<string, Remembered>();
  return {
    async load(path, folder) {
      const key = JSON.stringify([path, folder]);
      const about = await stat(resolve(folder, path)).catch(() => undefined);
      const state = about === undefined ? '' : `${about.mtimeMs} ${about.size}`;
      const known = remembered.get(key);
      if (known !== undefined && known.state === state) return known.loaded;
      const loaded = readModule(path, folder);
      remembered.set(key, { state, loaded });
      return loaded;
    },
    forget: () => remembered.clear(),
  };
}
