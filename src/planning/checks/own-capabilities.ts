// Check: a fragment's own capabilities are allowed by the template and have free names.
import { digestOf } from '../../base/digest.ts';
import { type Issue, issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { Fragment } from '../fragment.ts';
import type { Frame } from '../frame.ts';

/** Call it with the frame before `withOwnCapabilities`. */
export function checkOwnCapabilities({ capabilities = [] }: Fragment, frame: Frame): readonly Issue[] {
  return capabilities.flatMap(({ name }, index) => {
    const path = ['capabilities', index];
    if (frame.synthesizes !== true) {
      return [
        issue(
          'SYNTHESIS_NOT_ALLOWED',
          `the fragment brings a capability "${name}" of its own, which is not wanted here`,
          {
            path,
            hint: 'compute in a step of type "compute"; the author may allow it with missing: [synthesize]',
          },
        ),
      ];
    }
    const taken = Object.hasOwn(frame.declarations, name) || frame.denied?.has(name) || frame.ruledOut?.has(name);
    const isNew = newCapabilities({ capabilities }, frame).some((each) => each.name === name);
    if (!taken || !isNew) return [];
    return [
      issue('SYNTHESIS_NAME_TAKEN', `there is another capability "${name}" already`, {
        path: [...path, 'name'],
        hint: 'use that one, or choose another name',
      }),
    ];
  });
}

/** The fragment's capabilities that no person has approved yet. */
export function newCapabilities(
  { capabilities = [] }: Pick<Fragment, 'capabilities'>,
  { declarations }: Pick<Frame, 'declarations'>,
): readonly Declaration[] {
  return capabilities.filter((each) => {
    const known = Object.hasOwn(declarations, each.name) ? declarations[each.name] : undefined;
    return known === undefined || digestOf(plain(known)) !== digestOf(plain(each));
  });
}

export function withOwnCapabilities({ capabilities = [] }: Fragment, frame: Frame): Frame {
  if (capabilities.length === 0) return frame;
  const own = Object.fromEntries(capabilities.map((each) => [each.name, each] as const));
  return { ...frame, declarations: { ...own, ...frame.declarations } };
}

function plain(declaration: Declaration): Json {
  return JSON.parse(JSON.stringify(declaration)) as Json;
}
