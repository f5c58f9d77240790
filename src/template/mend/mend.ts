// Finds the edit that certainly solves an issue, from the issue and the text that it is about.
import type { Issue, Mend } from '../../base/issue.ts';
import { nodeAtPath, type Outline } from '../parse/outline.ts';
import { readOutline } from '../parse/read-outline.ts';
import type { DocumentTree } from '../parse/tree.ts';
import { waiting } from './dependencies.ts';
import { placedEdits } from './edits.ts';
import { missingGrant, missingTarget, wrongParameter } from './hints.ts';
import { misplacedKey, missingEntry, typeOfKeys } from './keys.ts';
import { rightKind } from './kinds.ts';
import { meantName } from './names.ts';
import type { MendingRule } from './rule.ts';
import { currentSpelling } from './spellings.ts';

/** The first that applies counts. */
const rules: readonly MendingRule[] = [
  misplacedKey,
  typeOfKeys,
  missingEntry,
  currentSpelling,
  waiting,
  rightKind,
  missingGrant,
  missingTarget,
  wrongParameter,
  meantName,
];

const outlines = new WeakMap<DocumentTree, Outline>();

/** The mend of a placed issue; undefined when no single edit is certain to solve it. */
export function mendOf(issue: Issue, tree: DocumentTree): Mend | undefined {
  const { place, path } = issue;
  if (place === undefined || place.file !== tree.file) return undefined;
  const outline = outlineOf(tree);
  const given = {
    ...{ issue, outline, node: nodeAtPath(outline, path), document: tree.value },
    from: offsetOf(outline, place.line, place.column),
    to: offsetOf(outline, place.endLine, place.endColumn),
  };
  for (const rule of rules) {
    const found = rule(given);
    if (found === undefined) continue;
    const edits = found.edits.filter((edit) => edit !== undefined);
    return edits.length === 0 || edits.length < found.edits.length
      ? undefined
      : { title: found.title, edits: placedEdits(edits, outline, tree.file) };
  }
  return undefined;
}

function outlineOf(tree: DocumentTree): Outline {
  const known = outlines.get(tree);
  if (known !== undefined) return known;
  const outline = readOutline(tree.lines.join('\n'));
  outlines.set(tree, outline);
  return outline;
}

function offsetOf({ text }: Outline, line: number, column: number): number {
  let start = 0;
  for (let nth = 1; nth < line; nth++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}
