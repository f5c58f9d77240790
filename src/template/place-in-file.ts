// Gives issues the place in the file that they refer to, with the keys as written.
import type { Issue, PathPart } from '../base/issue.ts';
import type { Place } from '../base/place.ts';
import { mendOf } from './mend/mend.ts';
import type { DocumentTree } from './parse/tree.ts';
import { writtenPath } from './resolve/aliases.ts';

/** Codes of issues about a key instead of its value. */
const atKeys: ReadonlySet<string> = new Set([
  'SHAPE_UNKNOWN_KEY',
  'SHAPE_KEY_MISPLACED',
  'SHAPE_KEY_REPEATED',
  'INPUT_UNKNOWN_KEY',
  'SPELLING_OUTDATED',
  'REPAIR_UNUSED',
  'BUDGET_BELOW_TEMPLATE',
  'ENVIRONMENT_STEP_UNKNOWN',
  'ENVIRONMENT_UNKNOWN',
]);

/** An issue that does not bring its mend gets the one that its text allows. */
export function placeIssue(found: Issue, tree: DocumentTree): Issue {
  const placed = inFile(found, tree);
  const mend = placed.mend ?? mendOf(placed, tree);
  return mend === undefined ? placed : { ...placed, mend };
}

function inFile(found: Issue, tree: DocumentTree): Issue {
  const path = writtenPath(tree.value, found.path);
  // The place of an issue in an expression counts lines and columns from the start of the expression.
  if (found.place !== undefined && found.place.file !== '') return { ...found, path };
  const outer = tree.placeOf(path, atKeys.has(found.code) ? 'key' : 'value');
  const place = found.place === undefined ? outer : placeInside(tree, path, found.place);
  return { ...found, path, place: aboutGaps.has(found.code) ? firstLineOf(place, tree) : place };
}

/** Codes of issues about a missing part: editors would mark the whole map that lacks it. */
const aboutGaps: ReadonlySet<string> = new Set(['SHAPE_MISSING_KEY', 'INPUT_MISSING_KEY']);

function firstLineOf(place: Place, { lines }: DocumentTree): Place {
  if (place.endLine === place.line) return place;
  return { ...place, endLine: place.line, endColumn: (lines[place.line - 1] ?? '').trimEnd().length + 1 };
}

/** The place of a part of a text; the place of the whole text when the file writes it with escapes or folding. */
function placeInside(tree: DocumentTree, path: readonly PathPart[], within: Place): Place {
  const outer = tree.placeOf(path);
  if (outer.file !== tree.file) return outer;
  const line = tree.lines[outer.line - 1] ?? '';
  const opener = line[outer.column - 1];
  if (opener === '|') {
    const body = tree.lines.slice(outer.line).findIndex((each) => each.trim() !== '');
    const first = tree.lines[outer.line + body] ?? '';
    const indent = first.length - first.trimStart().length;
    return moved(outer, within, outer.line, indent);
  }
  const oneLine = outer.line === outer.endLine;
  const quoted = opener === '"' || opener === "'";
  if (!oneLine || opener === '>' || (quoted && line.slice(outer.column, outer.endColumn - 2).includes('\\')))
    return outer;
  return moved(outer, within, outer.line - 1, outer.column - 1 + (quoted ? 1 : 0));
}

function moved({ file }: Place, within: Place, lines: number, columns: number): Place {
  return {
    file,
    line: within.line + lines,
    column: within.column + columns,
    endLine: within.endLine + lines,
    endColumn: within.endColumn + columns,
  };
}
