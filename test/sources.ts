// Reads the repository's own sources for the tests that hold the house in order.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

export interface Source {
  /** From the repository's root: `src/engine/decide.ts`. */
  readonly path: string;
  readonly text: string;
}

export function readSources(folder: string, pattern: RegExp = /\.tsx?$/): Source[] {
  const found: Source[] = [];
  const walk = (at: string): void => {
    for (const name of readdirSync(at).sort()) {
      if (name === 'node_modules' || name.startsWith('.')) continue;
      const path = join(at, name);
      if (statSync(path).isDirectory()) walk(path);
      else if (pattern.test(name)) found.push({ path: relative(root, path), text: readFileSync(path, 'utf8') });
    }
  };
  walk(join(root, folder));
  return found;
}

/** Everything a source imports, type-only and dynamic imports included; own files as paths from the root. */
export function importsOf(source: Source): string[] {
  return specifiersIn(source, /(?:^|\s)(?:from|import)\s*\(?\s*'([^']+)'/g);
}

/** Modules that load together with a source: type-only and dynamic imports are left out. Own files as above. */
export function loadedBy(source: Source): string[] {
  return specifiersIn(source, /^(?:import|export)\s+(?!type\b)(?:[^;]*?from\s*)?'([^']+)'/gm);
}

function specifiersIn({ path, text }: Source, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, specifier = '']) =>
    specifier.startsWith('.') ? relative(root, resolve(root, dirname(path), specifier)) : specifier,
  );
}

/** The text without comments, strings and template literals' fixed parts, so that words in prose do not count. */
export function codeOf({ text }: Source): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:])\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
}
