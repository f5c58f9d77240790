// What a node compiles to: a closure over its parts, run with a frame of locals and the machine.
import type { Node } from '../analyze/node.ts';
import { type Machine, symbol, type Value } from '../value.ts';

export type Code = (frame: Value[], m: Machine) => Value;

/** Compiles a part; handed to the compilers of single kinds of node, so that they need not know each other. */
export type Compile = (node: Node) => Code;

/** What `recur` gives to the loop or function it stands in; no program can hold it. */
export const AGAIN: Value = symbol('recur');
