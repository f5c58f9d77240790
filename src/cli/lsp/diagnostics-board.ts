// Holds the diagnostics of all files by the document whose analysis found them, since several templates may include one file.
import type { Diagnostic } from 'vscode-languageserver';
import type { Issue } from '../../base/issue.ts';
import { diagnosticOf } from './features/diagnostics.ts';

export interface DiagnosticsBoard {
  /** Replaces the issues that the analysis of a document found, and publishes them. */
  put(uri: string, issues: readonly Issue[]): void;
  /** Removes the issues that the analysis of a document found. */
  remove(uri: string): void;
}

interface BoardOptions {
  /** The address of the file that an issue is in. */
  readonly targetOf: (uri: string, issue: Issue) => string;
  readonly publish: (uri: string, diagnostics: Diagnostic[]) => void;
}

export function diagnosticsBoard({ targetOf, publish }: BoardOptions): DiagnosticsBoard {
  /** Diagnostics by the address of the file, then by the document. */
  const found = new Map<string, Map<string, Diagnostic[]>>();

  /** Sends the diagnostics of all analyses for one file, each once. */
  function send(target: string): void {
    const all = [...(found.get(target)?.values() ?? [])].flat();
    const once = new Map(all.map((each) => [JSON.stringify(each), each]));
    publish(target, [...once.values()]);
  }

  function targetsOf(uri: string): readonly string[] {
    return [...found].flatMap(([target, byDocument]) => (byDocument.has(uri) ? [target] : []));
  }

  return {
    put(uri, issues) {
      const next = new Map<string, Diagnostic[]>([[uri, []]]);
      for (const issue of issues) {
        const target = targetOf(uri, issue);
        next.set(target, [...(next.get(target) ?? []), diagnosticOf(issue)]);
      }
      const changed = new Set([...targetsOf(uri), ...next.keys()]);
      for (const target of changed) {
        const byDocument = found.get(target) ?? new Map<string, Diagnostic[]>();
        found.set(target, byDocument.set(uri, next.get(target) ?? []));
        send(target);
      }
    },
    remove(uri) {
      for (const target of targetsOf(uri)) {
        found.get(target)?.delete(uri);
        send(target);
      }
    },
  };
}
