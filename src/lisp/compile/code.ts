// The compiled form of a node: a closure that runs with a frame of locals and the machine.
import type { Node } from '../analyze/node.ts';
import { type Machine, symbol, type Value } from '../value.ts';

export type Code = (frame: Value[], m: Machine) => Value;

/** Compiles a part. Passed as a parameter, so that the compilers of single nodes need not import each other. */
export type Compile = (node: Node) => Code;

/** The result of `recur`, for the loop or function around it; no program can get hold of it. */
export const AGAIN: Value = symbol('recur');
