// Charges for stretches of code without calls: long chains of constants, names and branches cost fuel too.
import { children, type Node } from '../analyze/node.ts';
import { burn } from '../machine.ts';
import type { Code } from './code.ts';

/** Closures per unit of fuel. */
const COVERED = 16;

/** Burns the surcharge before the code runs. */
export function withSurcharge(surcharge: number, code: Code): Code {
  if (surcharge === 0) return code;
  return (frame, m) => {
    burn(m, surcharge);
    return code(frame, m);
  };
}

interface Charge {
  /** Fuel to burn when the node is entered. */
  readonly surcharge: number;
  /** Closures that run before anything inside the node pays for them. */
  readonly unpaid: number;
}

const FREE: Charge = { surcharge: 0, unpaid: 0 };
const LEAF: Charge = { surcharge: 0, unpaid: 1 };
const charges = new WeakMap<Node, Charge>();

/** Zero for all but wide programs. */
export function surchargeOf(node: Node): number {
  return chargeOf(node).surcharge;
}

function chargeOf(node: Node): Charge {
  if (isLeaf(node)) return LEAF;
  const known = charges.get(node);
  if (known !== undefined) return known;
  const closures = closuresOf(node);
  const charge = closures > COVERED ? { surcharge: Math.ceil(closures / COVERED), unpaid: 0 } : settled(node, closures);
  charges.set(node, charge);
  return charge;
}

/** Most nodes are leaves; caching their surcharge would cost more than it saves. */
function isLeaf({ kind }: Node): boolean {
  return kind === 'const' || kind === 'local' || kind === 'data' || kind === 'builtin' || kind === 'global';
}

/** A call, and each turn of a loop, burns a unit of its own, which covers the code before it. */
function settled(node: Node, closures: number): Charge {
  const pays = node.kind === 'invoke' || node.kind === 'call' || node.kind === 'loop' || node.kind === 'for';
  return pays ? FREE : { surcharge: 0, unpaid: closures };
}

function closuresOf(node: Node): number {
  switch (node.kind) {
    case 'fn':
      return 1 + node.captures.length;
    case 'letfn':
      return 1 + node.fns.reduce((sum, { fn }) => sum + unpaid(fn), unpaid(node.body));
    case 'if':
      return chain(node);
    case 'case':
      return 1 + unpaid(node.subject) + most([...node.table.values(), ...(node.otherwise ? [node.otherwise] : [])]);
    default:
      return children(node).reduce((sum, child) => sum + unpaid(child), 1);
  }
}

function unpaid(node: Node): number {
  return chargeOf(node).unpaid;
}

function most(nodes: readonly Node[]): number {
  return nodes.reduce((heaviest, node) => Math.max(heaviest, unpaid(node)), 0);
}

/** All tests of an else chain may run, but only one result. */
function chain(node: Node & { readonly kind: 'if' }): number {
  let tests = 0;
  let result = 0;
  let at: Node = node;
  while (at.kind === 'if') {
    tests += 1 + unpaid(at.test);
    result = Math.max(result, unpaid(at.then));
    at = at.else;
  }
  return tests + Math.max(result, unpaid(at));
}
