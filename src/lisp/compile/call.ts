// Compiles calls, with special cases for few arguments that avoid an argument list.

import { Fault } from '../../base/fault.ts';
import type { Node } from '../analyze/node.ts';
import { getIn, invoke, invoke1, invoke2 } from '../invoke.ts';
import { pause } from '../machine.ts';
import type { Value } from '../value.ts';
import type { Code, Compile } from './code.ts';

/** Calls a builtin that is known by name; the analyzer has checked the number of arguments. */
export function compileInvoke(node: Node & { kind: 'invoke' }, compile: Compile): Code {
  const { zero, one, two, three, rest } = node.builtin.shapes;
  const { at } = node;
  const args = node.args.map(compile);
  const [a, b, c] = args;
  if (args.length === 0 && zero !== undefined) {
    return (_, m) => {
      m.fuel -= 1;
      if (m.fuel < m.pauseAt) pause(m);
      m.at = at;
      return zero(m);
    };
  }
  if (args.length === 1 && one !== undefined && a !== undefined) {
    return (frame, m) => {
      const x = a(frame, m);
      m.fuel -= 1;
      if (m.fuel < m.pauseAt) pause(m);
      m.at = at;
      return one(m, x);
    };
  }
  const [, second] = node.args;
  if (args.length === 2 && two !== undefined && a !== undefined && second?.kind === 'const') {
    const { value } = second;
    return (frame, m) => {
      const x = a(frame, m);
      m.fuel -= 1;
      if (m.fuel < m.pauseAt) pause(m);
      m.at = at;
      return two(m, x, value);
    };
  }
  if (args.length === 2 && two !== undefined && a !== undefined && b !== undefined) {
    return (frame, m) => {
      const x = a(frame, m);
      const y = b(frame, m);
      m.fuel -= 1;
      if (m.fuel < m.pauseAt) pause(m);
      m.at = at;
      return two(m, x, y);
    };
  }
  if (args.length === 3 && three !== undefined && a !== undefined && b !== undefined && c !== undefined) {
    return (frame, m) => {
      const x = a(frame, m);
      const y = b(frame, m);
      const z = c(frame, m);
      m.fuel -= 1;
      if (m.fuel < m.pauseAt) pause(m);
      m.at = at;
      return three(m, x, y, z);
    };
  }
  const { fn } = node.builtin;
  if (rest === undefined && args.length !== 4) throw new Fault(`no shape of ${node.builtin.name} for ${args.length}`);
  const price = 1 + args.length;
  return (frame, m) => {
    const values = evaluate(args, frame, m);
    m.fuel -= price;
    if (m.fuel < m.pauseAt) pause(m);
    m.at = at;
    return fn.code.apply(m, fn, values);
  };
}

function evaluate(args: readonly Code[], frame: Value[], m: Parameters<Code>[1]): Value[] {
  const values = new Array<Value>(args.length);
  for (let i = 0; i < args.length; i++) values[i] = args[i]?.(frame, m) ?? null;
  return values;
}

export function compileCall(node: Node & { kind: 'call' }, compile: Compile): Code {
  const { at } = node;
  const args = node.args.map(compile);
  const [a, b] = args;
  if (node.head.kind === 'const' && args.length === 1 && a !== undefined) {
    const key = node.head.value;
    if (typeof key === 'object' && key !== null && key.kind === 'keyword') {
      return (frame, m) => {
        const from = a(frame, m);
        m.fuel -= 1;
        if (m.fuel < m.pauseAt) pause(m);
        m.at = at;
        return getIn(m, from, key) ?? null;
      };
    }
  }
  const head = compile(node.head);
  if (args.length === 1 && a !== undefined) {
    return (frame, m) => {
      const f = head(frame, m);
      const x = a(frame, m);
      m.fuel -= 1;
      if (m.fuel < m.pauseAt) pause(m);
      m.at = at;
      return invoke1(m, f, x);
    };
  }
  if (args.length === 2 && a !== undefined && b !== undefined) {
    return (frame, m) => {
      const f = head(frame, m);
      const x = a(frame, m);
      const y = b(frame, m);
      m.fuel -= 1;
      if (m.fuel < m.pauseAt) pause(m);
      m.at = at;
      return invoke2(m, f, x, y);
    };
  }
  const price = 1 + (args.length >> 2);
  return (frame, m) => {
    const f = head(frame, m);
    const values = evaluate(args, frame, m);
    m.fuel -= price;
    if (m.fuel < m.pauseAt) pause(m);
    m.at = at;
    return invoke(m, f, values);
  };
}
