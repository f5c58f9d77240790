// Mends values of a wrong kind: quoted numbers and truths, one word in the place of a list, Lisp without its tag.
import { outlineValue } from '../parse/outline.ts';
import { isScalar } from './edits.ts';
import type { Correction, MendingCase } from './rule.ts';

export function rightKind({ issue, outline, node }: MendingCase): Correction | undefined {
  if (!isScalar(node) || node.tag !== undefined) return undefined;
  const written = outline.text.slice(node.from, node.to);
  const write = (text: string): Correction => ({
    title: `Write ${text}`,
    edits: [{ from: node.from, to: node.to, text }],
  });
  if (issue.code === 'LISP_UNMARKED') {
    return { title: 'Write !lisp before the expression', edits: [{ from: node.from, to: node.from, text: '!lisp ' }] };
  }
  if (issue.code !== 'SHAPE_WRONG_TYPE' || node.style === 'block') return undefined;
  const convergence = /^write convergence: (\{.*\})$/.exec(issue.hint ?? '')?.[1];
  if (convergence !== undefined) return write(convergence);
  const value = outlineValue(node);
  const wanted = /must be (a list|a whole number|a number|true or false|text)\b/.exec(issue.message)?.[1];
  switch (wanted) {
    case 'a list':
      return typeof value === 'string' && value !== '' ? write(`[${written}]`) : undefined;
    case 'a whole number':
      return typeof value === 'string' && /^\d+$/.test(value) ? write(value) : undefined;
    case 'a number':
      return typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? write(value) : undefined;
    case 'true or false': {
      const truth = typeof value === 'string' ? truths.get(value.toLowerCase()) : undefined;
      return truth === undefined ? undefined : write(String(truth));
    }
    case 'text':
      return typeof value === 'number' || typeof value === 'boolean' ? write(`"${written}"`) : undefined;
    default:
      return undefined;
  }
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
]);
