// Steps by name: going to their definition, finding and highlighting their uses, and renaming them.
import {
  type DocumentHighlight,
  DocumentHighlightKind,
  ErrorCodes,
  type Location,
  type Range,
  ResponseError,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { covers } from '../../../template/parse/outline.ts';
import { type StepOccurrence, stepOccurrences } from '../../../template/step-occurrences.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';
import { type FamilyFile, familyOf } from '../family.ts';
import { rangeOfSpan } from '../positions.ts';
import type { Workspace } from '../workspace.ts';

/** The name of a step at an offset. */
export function stepAt({ outline, kind }: FamilyFile, offset: number): StepOccurrence | undefined {
  return stepOccurrences(outline, kind).find(({ span }) => covers(span, offset));
}

interface PlacedOccurrence extends StepOccurrence {
  readonly file: FamilyFile;
}

/** All occurrences of the step at an offset, in all files that share its name. */
async function occurrencesAt(
  workspace: Workspace,
  document: AnalyzedDocument,
  offset: number,
): Promise<readonly PlacedOccurrence[]> {
  const step = stepAt(document, offset);
  if (step === undefined) return [];
  // Names of a fragment mean nothing in other files.
  const files = step.fragment === undefined ? await familyOf(workspace, document) : [document];
  return files.flatMap((file) =>
    stepOccurrences(file.outline, file.kind)
      .filter(({ name, fragment }) => name === step.name && fragment === step.fragment)
      .map((each) => ({ ...each, file })),
  );
}

function locationOf({ file, span }: PlacedOccurrence): Location {
  return { uri: file.uri, range: rangeOfSpan(file.text, span) };
}

export async function definitionAt(
  workspace: Workspace,
  document: AnalyzedDocument,
  offset: number,
): Promise<readonly Location[]> {
  const found = await occurrencesAt(workspace, document, offset);
  return found.filter(({ isDefinition }) => isDefinition).map(locationOf);
}

export async function referencesAt(
  workspace: Workspace,
  document: AnalyzedDocument,
  offset: number,
  withDefinition: boolean,
): Promise<readonly Location[]> {
  const found = await occurrencesAt(workspace, document, offset);
  return found.filter(({ isDefinition }) => withDefinition || !isDefinition).map(locationOf);
}

export function highlightsAt(document: AnalyzedDocument, offset: number): readonly DocumentHighlight[] {
  const step = stepAt(document, offset);
  if (step === undefined) return [];
  return stepOccurrences(document.outline, document.kind)
    .filter(({ name, fragment }) => name === step.name && fragment === step.fragment)
    .map(({ span, isDefinition }) => ({
      range: rangeOfSpan(document.text, span),
      kind: isDefinition ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }));
}

/** The range of the name that a rename would replace. */
export function renameRangeAt(document: AnalyzedDocument, offset: number): { range: Range; placeholder: string } {
  const step = stepAt(document, offset);
  if (step === undefined) throw refusal('only names of steps can be renamed here');
  return { range: rangeOfSpan(document.text, step.span), placeholder: step.name };
}

/** Replaces a step's name everywhere. Refuses names that are no names of steps, or that another step has. */
export async function renameAt(
  workspace: Workspace,
  document: AnalyzedDocument,
  offset: number,
  newName: string,
): Promise<WorkspaceEdit> {
  const step = stepAt(document, offset);
  if (step === undefined) throw refusal('only names of steps can be renamed here');
  if (!/^[a-z][a-z0-9_]*$/.test(newName))
    throw refusal('a step is named with lower-case letters, digits and underscores, a letter first');
  const files = step.fragment === undefined ? await familyOf(workspace, document) : [document];
  const isTaken = files.some((file) =>
    stepOccurrences(file.outline, file.kind).some(
      ({ name, isDefinition, fragment }) => isDefinition && name === newName && fragment === step.fragment,
    ),
  );
  if (isTaken && newName !== step.name) throw refusal(`another step is named "${newName}"`);
  const changes: Record<string, TextEdit[]> = {};
  for (const { file, span } of await occurrencesAt(workspace, document, offset)) {
    const edits = changes[file.uri] ?? [];
    edits.push({ range: rangeOfSpan(file.text, span), newText: newName });
    changes[file.uri] = edits;
  }
  return { changes };
}

function refusal(message: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}
