// Whether a capability only reads: it says so, or it is named for that, since many servers say nothing of effects.
import { isMutating } from '../../contract/declaration.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import { toolsOf } from '../match/tool.ts';
import { isReadingVerb } from '../match/verbs.ts';

/** For how a goal's words are read alone; what may be called is decided by effects. */
export function isReading(line: CapabilityLine): boolean {
  if (!isMutating(line)) return true;
  const [tool] = toolsOf([line]);
  return tool?.verb !== undefined && isReadingVerb(tool.verb.stem);
}
