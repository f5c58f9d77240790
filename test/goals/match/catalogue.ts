// Catalogues of tools with goals as people word them, and which tool serves each.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declareTools } from '../../../src/capabilities/mcp/declare.ts';
import type { Declaration } from '../../../src/contract/declaration.ts';

const folder = join(import.meta.dirname, 'data');

/** By the words of the goal: the tool that serves it, null where none does. */
type Goals = Readonly<Record<string, string | null>>;

interface Catalogue {
  readonly declarations: readonly Declaration[];
  /** Those that the scorer was made with. */
  readonly goals: Goals;
  /** Those that were put aside before, and looked at only as a share. */
  readonly aside: Goals;
}

export const domains: readonly string[] = readdirSync(folder).map((file) => file.replace('.json', ''));

/** Under their own names, with effects unsaid, as servers mostly list them. */
export function catalogue(domain: string): Catalogue {
  const { tools, goals, aside } = JSON.parse(readFileSync(join(folder, `${domain}.json`), 'utf8'));
  const { declarations } = declareTools(domain, tools);
  return {
    declarations: declarations.map((each) => ({ ...each, name: each.origin?.tool ?? each.name })),
    goals,
    aside,
  };
}

/** Tools told in a line: `list_issues: List issues in a repository`. */
export function toolsOf(...lines: readonly string[]): readonly Declaration[] {
  return lines.map((line) => {
    const [name = '', description = ''] = line.split(': ');
    return { name, description, effects: [], tags: [], cost: {} };
  });
}
