// Looks whether files are there, inside the granted folders.
import type { JsonObject } from '../../base/json.ts';
import { CapabilityError } from '../../capabilities/capability-error.ts';
import type { FileAccess } from '../../capabilities/files.ts';

/** `{missing: [{path, why}]}`, in the order in which they were asked for. */
export async function findFiles(files: FileAccess, paths: readonly string[]): Promise<JsonObject> {
  const looked = await Promise.all(paths.map((path) => missing(files, path)));
  return { missing: looked.flat() };
}

async function missing(files: FileAccess, path: string): Promise<readonly JsonObject[]> {
  try {
    await files.resolve(path, 'read');
    return [];
  } catch (thrown) {
    if (thrown instanceof CapabilityError) return [{ path, why: thrown.message }];
    throw thrown;
  }
}
