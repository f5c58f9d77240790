// Mends older spellings of keys and words by the current ones.
import { typeAliases } from '../keys/step.ts';
import { type OutlineEntry, type OutlineMap, outlineValue, spotAt } from '../parse/outline.ts';
import { currentKey } from '../resolve/aliases.ts';
import { isScalar, rewritten } from './edits.ts';
import type { Correction, MendingCase } from './rule.ts';

const types: ReadonlyMap<string, string> = new Map(Object.entries(typeAliases));

export function currentSpelling({ issue, outline, from }: MendingCase): Correction | undefined {
  if (issue.code !== 'SPELLING_OUTDATED') return undefined;
  const { entry, holders } = spotAt(outline, from);
  const map = holders.at(-1);
  if (entry === undefined || map?.kind !== 'map') return undefined;
  const { value } = entry;
  if (entry.key === 'max_retries') return attempts(entry, map, outlineValue(value), issue.path.at(-2) === 'retry');
  if (!isScalar(value)) return renamed(entry);
  const word = wordFor(entry.key, outlineValue(value));
  if (word === undefined) return renamed(entry);
  return { title: `Write "${entry.key}: ${word}"`, edits: [rewritten(outline, value, word)] };

  function renamed({ key, keySpan }: OutlineEntry): Correction | undefined {
    const own = currentKey(key, issue.path.length === 1);
    return own === key
      ? undefined
      : { title: `Write "${own}" instead of "${key}"`, edits: [rewritten(outline, keySpan, own)] };
  }
}

function wordFor(key: string, value: unknown): string | undefined {
  if (key === 'type') return types.get(String(value));
  if (key !== 'plan_review' && key !== 'approval') return undefined;
  return typeof value === 'boolean' ? (value ? 'always' : 'never') : undefined;
}

/** Retries count the attempts after the first. */
function attempts(
  { keySpan, value }: OutlineEntry,
  map: OutlineMap,
  count: unknown,
  isInside: boolean,
): Correction | undefined {
  const key = isInside ? 'max_attempts' : 'retry';
  if (typeof count !== 'number' || map.entries.some((each) => each.key === key)) return undefined;
  const text = isInside ? `max_attempts: ${count + 1}` : `retry: { max_attempts: ${count + 1} }`;
  return { title: `Write "${text}"`, edits: [{ from: keySpan.from, to: value.to, text }] };
}
