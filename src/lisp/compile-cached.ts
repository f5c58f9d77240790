// Compiles with a cache, for predicates and conditions that run many times.
import type { Result } from '../base/result.ts';
import { type CompileOptions, compile, type Program } from './program.ts';

const CAPACITY = 500;
const LARGEST_SOURCE = 10_000;
const known = new Map<string, Result<Program>>();

/** As `compile`. Keeps the last 500 results, including refusals. */
export function compileCached(source: string, options: CompileOptions = {}): Result<Program> {
  if (source.length > LARGEST_SOURCE) return compile(source, options);
  const key = `${JSON.stringify(options)}${source}`;
  const found = known.get(key);
  if (found !== undefined) {
    known.delete(key);
    known.set(key, found);
    return found;
  }
  const result = compile(source, options);
  known.set(key, result);
  const [oldest] = known.keys();
  if (known.size > CAPACITY && oldest !== undefined) known.delete(oldest);
  return result;
}
