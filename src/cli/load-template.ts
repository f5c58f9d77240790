// Loads a template for commands that run nothing.
import type { Result } from '../base/result.ts';
import type { Template } from '../template/template.ts';

/** Paths are relative to the working directory. */
export async function loadTemplate(file: string): Promise<Result<Template>> {
  const { loadFile } = await import('../runtime/load-file.ts');
  const loaded = await loadFile(file, process.cwd(), []);
  return loaded.ok ? { ...loaded, value: loaded.value.template } : loaded;
}
