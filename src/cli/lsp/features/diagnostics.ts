// Diagnostics: the issues of an analysis as an editor shows them.
import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import type { Issue } from '../../../base/issue.ts';
import { rangeOfPlace } from '../positions.ts';

const severities: Readonly<Record<Issue['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** The hint stands below the message, because most editors show nothing else of a diagnostic. */
export function diagnosticOf({ code, severity, message, hint, place }: Issue): Diagnostic {
  return {
    range: rangeOfPlace(place ?? { file: '', line: 1, column: 1, endLine: 1, endColumn: 1 }),
    severity: severities[severity],
    source: 'reconverge',
    code,
    message: hint === undefined ? message : `${message}\n${hintInEditor(hint)}`,
    ...(code === 'SPELLING_OUTDATED' && { tags: [DiagnosticTag.Deprecated] }),
  };
}

/** An editor trusts folders, where the command line has a flag. */
function hintInEditor(hint: string): string {
  return hint.replace('run the same command without --untrusted', 'trust this folder in the editor');
}
