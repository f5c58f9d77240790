// Tells whether a capability only reads, by its effects or by its verb, because many servers declare no effects.
import { isMutating } from '../../contract/declaration.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import { toolsOf } from '../match/tool.ts';
import { isReadingVerb } from '../match/verbs.ts';

/** Only for reading a goal's words: effects alone decide which calls are allowed. */
export function isReading(line: CapabilityLine): boolean {
  if (!isMutating(line)) return true;
  const [tool] = toolsOf([line]);
  return tool?.verb !== undefined && isReadingVerb(tool.verb.stem);
}
