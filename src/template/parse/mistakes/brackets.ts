// Finds brackets that are never closed, that are closed by another bracket, or that close nothing.
import { type BracketFault, bracketsOf, closerOf, type OpenBracket } from '../yaml-tokens.ts';
import type { BrokenText, Explanation, Mistake } from './mistake.ts';

export function unclosedBrackets(broken: BrokenText): readonly Explanation[] {
  const { text, tokens } = broken;
  const [first] = bracketsOf(tokens, text.length);
  if (first === undefined) return [];
  switch (first.type) {
    case 'unclosed':
      return unclosed(first, text);
    case 'wrong':
      return wrong(first, text);
    case 'extra':
      return [[extra(first)]];
  }
}

function unclosed({ open, at }: BracketFault & { readonly type: 'unclosed' }, text: string): readonly Explanation[] {
  const [first] = open;
  const last = open.at(-1);
  if (first === undefined || last === undefined) return [];
  const closers = open.toReversed().map(closerOf);
  const end = text.slice(0, at).trimEnd().length;
  const ends = [...new Set([endOfLine(text, last.from), endOfLine(text, first.from), endOfLine(text, end - 1)])];
  const whole = ends.map((from) => [closing(text, first, closers, from, open.length)]);
  // A bracket inside may lack its end, while the outer ones are closed further down.
  const inner = open.toReversed().slice(0, 3);
  return [...whole, ...inner.map((each) => [closing(text, each, [closerOf(each)], endOfLine(text, each.from), 1)])];
}

function closing(text: string, open: OpenBracket, closers: readonly string[], from: number, count: number): Mistake {
  const missing = closers.join('');
  const spaced = /\S/.test(text.charAt(open.from + 1)) || text.charAt(open.from + 1) === '' ? missing : ` ${missing}`;
  const others = count === 1 ? '' : count === 2 ? ', nor is one inside it' : `, nor are ${count - 1} inside it`;
  return {
    code: 'YAML_UNCLOSED',
    message: `this "${open.sign}" is never closed${others}`,
    from: open.from,
    to: open.from + 1,
    hint: `add "${missing}" at the end of line ${lineOf(text, from)}`,
    edits: [{ from, to: from, text: /\s$/.test(text.slice(0, from)) ? missing : spaced }],
    offered: true,
  };
}

function wrong({ open, at, sign }: BracketFault & { readonly type: 'wrong' }, text: string): readonly Explanation[] {
  const closer = closerOf(open);
  const told = {
    code: 'YAML_UNCLOSED',
    message: `this "${open.sign}" is closed by "${sign}"`,
    from: open.from,
    to: open.from + 1,
    offered: true,
  };
  const line = lineOf(text, at);
  const replaced = { ...told, hint: `write "${closer}" in place of "${sign}" on line ${line}` };
  const added = {
    ...told,
    message: `this "${open.sign}" is never closed`,
    hint: `add "${closer}" before the "${sign}" on line ${line}`,
  };
  const end = text.slice(0, at).trimEnd().length;
  return [
    [{ ...added, edits: [{ from: end, to: end, text: closer }] }],
    [{ ...replaced, edits: [{ from: at, to: at + 1, text: closer }] }],
  ];
}

function extra({ at, sign }: BracketFault & { readonly type: 'extra' }): Mistake {
  return {
    code: 'YAML_UNCLOSED',
    message: `this "${sign}" closes nothing`,
    from: at,
    to: at + 1,
    hint: `remove the "${sign}", or open it with "${sign === '}' ? '{' : '['}" before`,
    edits: [{ from: at, to: at + 1, text: '' }],
    offered: true,
    title: `Remove the "${sign}"`,
  };
}

/** The end of the line's content, before its comment. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  const line = text.slice(from, end < 0 ? text.length : end);
  return from + line.replace(/\s+#.*$/, '').trimEnd().length;
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
