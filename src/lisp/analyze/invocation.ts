// Nodes for calls of builtins by name, which expanded forms use.

import { present } from '../../base/fault.ts';
import { findBuiltin } from '../builtins.ts';
import type { Node } from './node.ts';

export function builtinNode(name: string, args: readonly Node[], at: number): Node {
  return { kind: 'invoke', builtin: present(findBuiltin(name), `builtin ${name}`), args, at };
}
