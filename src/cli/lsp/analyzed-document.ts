// A document of an editor: its text now, and the result of its last analysis.
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Issue } from '../../base/issue.ts';
import type { TemplateStudy } from '../../template/load.ts';
import type { Outline } from '../../template/parse/outline.ts';
import type { DocumentKind } from '../../template/schema/meaning.ts';
import type { Template } from '../../template/template.ts';

/** The result of checking one version of a text. */
export interface Analysis {
  readonly version: number;
  /** All issues, like those of `validate`. Their places name files relative to the folder of the document. */
  readonly issues: readonly Issue[];
  /** Everything that was understood, even of a template with errors; absent for documents that are no templates. */
  readonly study?: TemplateStudy;
  /** The template, if it has no errors. */
  readonly template?: Template;
}

/** One moment of a document that an editor holds. */
export interface AnalyzedDocument {
  readonly uri: string;
  /** The absolute path; for a document without a file, the path that it would have in its folder. */
  readonly path: string;
  readonly kind: DocumentKind;
  /** The text now. */
  readonly text: TextDocument;
  readonly version: number;
  /** The structure of the text now, also when the text is half written. */
  readonly outline: Outline;
  /** May be of an earlier version of the text. */
  readonly analysis: Analysis | undefined;
}
