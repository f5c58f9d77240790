// Nodes to closures, once per program.
import type { Node } from '../analyze/node.ts';
import { elementAt } from '../host.ts';
import { getIn } from '../invoke.ts';
import { nth } from '../nth.ts';
import { keywordArguments } from '../options.ts';
import { seq } from '../seq.ts';
import { textOf } from '../text-of.ts';
import { trouble } from '../trouble.ts';
import { symbol, vector } from '../value.ts';
import { compileCall, compileInvoke } from './call.ts';
import { compileChoice } from './choice.ts';
import type { Code } from './code.ts';
import { compileFn, compileLetfn } from './function.ts';
import { compileLiteral } from './literal.ts';
import { compileFor, compileLet, compileLoop, compileRecur } from './loop.ts';

export function compileNode(node: Node): Code {
  switch (node.kind) {
    case 'const': {
      const { value } = node;
      return () => value;
    }
    case 'local': {
      const { slot } = node;
      return (frame) => frame[slot] ?? null;
    }
    case 'global':
      return global(node.slot, node.name, node.at);
    case 'data': {
      const { slot } = node;
      return (_, m) => m.bindings[slot] ?? null;
    }
    case 'builtin': {
      const { fn } = node.builtin;
      return () => fn;
    }
    case 'do':
      return inOrder(node.body.map(compileNode));
    case 'if':
    case 'and':
    case 'or':
    case 'case':
    case 'unmatched':
      return compileChoice(node, compileNode);
    case 'let':
      return compileLet(node, compileNode);
    case 'loop':
      return compileLoop(node, compileNode);
    case 'recur':
      return compileRecur(node, compileNode);
    case 'for':
      return compileFor(node, compileNode);
    case 'fn':
      return compileFn(node, compileNode);
    case 'letfn':
      return compileLetfn(node, compileNode);
    case 'invoke':
      return compileInvoke(node, compileNode);
    case 'call':
      return compileCall(node, compileNode);
    case 'vector':
    case 'set':
    case 'map':
      return compileLiteral(node, compileNode);
    case 'def': {
      const { slot, name } = node;
      const value = compileNode(node.value);
      return (frame, m) => {
        m.globals[slot] = value(frame, m);
        return symbol(`#'${name}`);
      };
    }
    case 'fail': {
      const message = compileNode(node.message);
      return (frame, m) => {
        const text = message(frame, m);
        m.at = node.at;
        throw trouble('LISP_FAILED', textOf(m, text));
      };
    }
    case 'element':
    case 'tail':
    case 'options':
    case 'lookup':
      return compileTaking(node);
  }
}

function inOrder(body: readonly Code[]): Code {
  const last = body.length - 1;
  return (frame, m) => {
    for (let i = 0; i < last; i++) body[i]?.(frame, m);
    return body[last]?.(frame, m) ?? null;
  };
}

function global(slot: number, name: string, at: number): Code {
  return (_, m) => {
    const value = m.globals[slot];
    if (value === undefined) throw trouble('LISP_UNBOUND', `"${name}" has no value yet`, 'its def has not run', at);
    return value;
  };
}

/** How patterns reach into what they take apart. */
function compileTaking(node: Node & { kind: 'element' | 'tail' | 'options' | 'lookup' }): Code {
  const of = compileNode(node.of);
  const { at } = node;
  switch (node.kind) {
    case 'element': {
      const { index, walked } = node;
      return (frame, m) => {
        const whole = of(frame, m);
        if (typeof whole === 'object' && whole !== null && whole.kind === 'vector') return elementAt(whole, index);
        m.at = at;
        return walked ? (seq(m, whole, 'a vector pattern')[index] ?? null) : nth(whole, index, null);
      };
    }
    case 'tail': {
      const { from } = node;
      return (frame, m) => {
        m.at = at;
        const rest = seq(m, of(frame, m), 'a vector pattern').slice(from);
        return rest.length === 0 ? null : vector(rest);
      };
    }
    case 'options':
      return (frame, m) => {
        m.at = at;
        return keywordArguments(m, of(frame, m));
      };
    case 'lookup': {
      const key = compileNode(node.key);
      const otherwise: Code = node.otherwise === undefined ? () => null : compileNode(node.otherwise);
      return (frame, m) => {
        const found = getIn(m, of(frame, m), key(frame, m));
        return found === undefined ? otherwise(frame, m) : found;
      };
    }
  }
}
