// Nodes to closures, once per program.
import type { Node } from '../analyze/node.ts';
import { textOf } from '../text-of.ts';
import { trouble } from '../trouble.ts';
import { symbol } from '../value.ts';
import { compileCall, compileInvoke } from './call.ts';
import { compileAnd, compileCase, compileIf, compileOr, unmatched } from './choice.ts';
import type { Code } from './code.ts';
import { compileFn, compileLetfn } from './function.ts';
import { compileLiteral } from './literal.ts';
import { compileFor, compileLet, compileLoop, compileRecur } from './loop.ts';
import { compileElement, compileLookup, compileOptions, compileTail } from './taking.ts';
import { paying, tollOf } from './toll.ts';

export function compileNode(node: Node): Code {
  return paying(tollOf(node), compileKind(node));
}

function compileKind(node: Node): Code {
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
      return compileIf(node, compileNode);
    case 'and':
      return compileAnd(node.parts, compileNode);
    case 'or':
      return compileOr(node.parts, compileNode);
    case 'case':
      return compileCase(node, compileNode);
    case 'unmatched':
      return unmatched(node.at);
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
      return compileElement(node, compileNode);
    case 'tail':
      return compileTail(node, compileNode);
    case 'options':
      return compileOptions(node, compileNode);
    case 'lookup':
      return compileLookup(node, compileNode);
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
