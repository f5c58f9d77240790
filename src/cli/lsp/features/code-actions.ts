// Code actions: the mend of each diagnostic as a quick fix, and all mends of a document together.
import { type CodeAction, CodeActionKind, type Diagnostic, type Range, type TextEdit } from 'vscode-languageserver';
import type { Issue, MendEdit } from '../../../base/issue.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';
import { rangeOfPlace } from '../positions.ts';
import { diagnosticOf } from './diagnostics.ts';

/** All mends of a document; editors can run it on every save. */
export const FIX_ALL = `${CodeActionKind.SourceFixAll}.reconverge`;

export interface ActionRequest {
  readonly range: Range;
  /** The kinds that the editor asks for; absent: all. */
  readonly only?: readonly string[] | undefined;
  /** The address of the file that an issue is in. */
  readonly addressOf: (issue: Issue) => string;
}

/** The document has to be analyzed in its present version: older places would change the wrong text. */
export function codeActions(document: AnalyzedDocument, request: ActionRequest): readonly CodeAction[] {
  const { analysis, uri, version } = document;
  if (analysis === undefined || analysis.version !== version) return [];
  const mendable = analysis.issues.filter((issue) => issue.mend !== undefined && request.addressOf(issue) === uri);
  const here = mendable.filter((issue) => touches(diagnosticOf(issue).range, request.range));
  const wants = (kind: string): boolean => request.only?.some((each) => isKindOf(kind, each)) ?? true;
  const all = togetherOf(mendable);
  const fixes = wants(CodeActionKind.QuickFix) ? merged(here).map((each) => quickFix(each, uri)) : [];
  if (all.fixed === 0) return fixes;
  const together = (kind: string, title: string): CodeAction => ({
    title,
    kind,
    edit: { changes: { [uri]: all.edits } },
  });
  return [
    ...fixes,
    ...(fixes.length > 0 && all.fixed > 1
      ? [together(CodeActionKind.QuickFix, `Fix all ${all.fixed} problems that have a quick fix`)]
      : []),
    ...(wants(FIX_ALL) ? [together(FIX_ALL, 'Fix all problems of the template')] : []),
  ];
}

/** One edit may solve several issues, such as a missing type. */
interface Fix {
  readonly title: string;
  readonly edits: TextEdit[];
  readonly diagnostics: Diagnostic[];
}

function merged(issues: readonly Issue[]): readonly Fix[] {
  const fixes = new Map<string, Fix>();
  for (const issue of issues) {
    if (issue.mend === undefined) continue;
    const { title, edits } = issue.mend;
    const key = JSON.stringify([title, edits]);
    const fix = fixes.get(key) ?? { title, edits: edits.map(textEdit), diagnostics: [] };
    fix.diagnostics.push(diagnosticOf(issue));
    fixes.set(key, fix);
  }
  return [...fixes.values()];
}

function quickFix({ title, edits, diagnostics }: Fix, uri: string): CodeAction {
  return { title, kind: CodeActionKind.QuickFix, diagnostics, isPreferred: true, edit: { changes: { [uri]: edits } } };
}

/** The mends that do not touch each other; a second run finds the others. */
function togetherOf(issues: readonly Issue[]): { readonly fixed: number; readonly edits: TextEdit[] } {
  const edits: TextEdit[] = [];
  let fixed = 0;
  for (const fix of merged(issues)) {
    if (fix.edits.some((edit) => edits.some((other) => touches(edit.range, other.range)))) continue;
    edits.push(...fix.edits);
    fixed += 1;
  }
  return { fixed, edits };
}

function textEdit({ place, text }: MendEdit): TextEdit {
  return { range: rangeOfPlace(place), newText: text };
}

/** Ranges also touch where one ends and the other begins. */
function touches(one: Range, other: Range): boolean {
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

function isBefore(one: Range['start'], other: Range['start']): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

/** `source.fixAll.reconverge` is of the kind `source.fixAll`. */
function isKindOf(kind: string, wanted: string): boolean {
  return wanted === '' || kind === wanted || kind.startsWith(`${wanted}.`);
}
