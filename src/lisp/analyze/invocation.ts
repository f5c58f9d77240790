// Calls of builtins by name, as unfolded forms need them.

import { present } from '../../base/fault.ts';
import { findBuiltin } from '../builtins.ts';
import type { Node } from './node.ts';

export function builtinNode(name: string, args: readonly Node[], at: number): Node {
  return { kind: 'invoke', builtin: present(findBuiltin(name), `builtin ${name}`), args, at };
}
