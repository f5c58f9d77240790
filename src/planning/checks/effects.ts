// Check 9: a step that changes the world calls something that may safely be called again after a crash.
import { issue } from '../../base/issue.ts';
import { isMutating } from '../../contract/declaration.ts';
import { eachWork } from '../../template/check/paths.ts';
import type { Check } from '../verdict.ts';

/** One step calls one capability, so at most one thing is changed by it. */
export const checkEffects: Check = ({ fragment: { steps }, frame: { declarations } }) =>
  eachWork({ steps }, ({ name, capability }, at) => {
    if (capability === undefined || !Object.hasOwn(declarations, capability)) return [];
    const declaration = declarations[capability];
    if (declaration === undefined || !isMutating(declaration) || declaration.repeat !== undefined) return [];
    return [
      issue(
        'EFFECT_NOT_REPEATABLE',
        `step "${name}" calls "${capability}", which changes something and does not say that it can be repeated`,
        {
          path: [...at, 'handler'],
          hint: 'use another capability; its author may declare `repeat: keyed` or `repeat: safe`',
        },
      ),
    ];
  });
