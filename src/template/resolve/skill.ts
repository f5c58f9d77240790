// Skills as a document declares them.
import { isJsonObject, type Json } from '../../base/json.ts';
import { textAt, wordsAt } from '../keys/readers.ts';
import type { SkillSpec } from '../keys/skill.ts';

/** `skills:`, by name; a text alone concerns everyone. */
export function readSkills(written: Json | undefined): readonly SkillSpec[] {
  if (!isJsonObject(written)) return [];
  return Object.entries(written).flatMap(([name, each]): readonly SkillSpec[] => {
    if (typeof each === 'string') return [{ name, text: each, appliesTo: [], contextTags: [] }];
    if (!isJsonObject(each)) return [];
    const text = textAt(each, 'text') ?? '';
    return [{ name, text, appliesTo: wordsAt(each, 'applies_to'), contextTags: wordsAt(each, 'context_tags') }];
  });
}
