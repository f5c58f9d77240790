// Check 13: a repair does not repeat failed work.
import type { Digest } from '../../base/digest.ts';
import { issue } from '../../base/issue.ts';
import type { Fragment } from '../fragment.ts';
import type { Frame } from '../frame.ts';
import { producerNamed } from '../names-outside.ts';
import { planHash } from '../plan-hash.ts';
import type { Check } from './check.ts';

/** A step's hash includes the hashes of its dependencies, so a step on or behind a cycle has none. */
export const checkNovelty: Check = ({ fragment, frame, wiring: { depth } }) => {
  const { failed } = frame;
  if (failed === undefined || failed.steps.size === 0) return [];
  const hashes = hashesOf(fragment, frame);
  return fragment.steps.flatMap(({ name }, index) => {
    const before = depth.has(name) ? failed.steps.get(hashes(name)) : undefined;
    if (before === undefined) return [];
    return [
      issue('REPLAN_REPEATS_FAILURE', `step "${name}" does what ${before} did, which has failed`, {
        path: ['steps', index],
        hint: 'take another way around what failed, or answer {"impossible": "…"}',
      }),
    ];
  });
};

/** Hashes by name; call it only for steps that are neither on nor behind a cycle. */
function hashesOf({ steps }: Fragment, frame: Frame): (name: string) => Digest {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const known = new Map<string, Digest>();
  return function hashOf(name): Digest {
    const step = byName.get(name);
    if (step === undefined) return outside(name, frame);
    const found = known.get(name) ?? planHash(step, hashOf);
    known.set(name, found);
    return found;
  };
}

function outside(name: string, frame: Frame): string {
  const id = producerNamed(name, frame)?.id ?? name;
  return frame.failed?.hashes.get(id) ?? id;
}
