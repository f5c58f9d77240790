// Writes issues as workflow commands, which GitHub Actions shows at their lines in a pull request.
import type { Issue } from '../../base/issue.ts';
import type { FileFindings } from './sarif.ts';

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** `::error file=a.yaml,line=3,col=5,endLine=3,endColumn=9,title=YAML_INDENT::message` */
export function githubLines(files: readonly FileFindings[]): readonly string[] {
  return files.flatMap(({ file, issues }) => issues.map((each) => line(each, file)));
}

function line({ code, severity, message, hint, place }: Issue, file: string): string {
  const properties = {
    file: (place?.file ?? file).replaceAll('\\', '/'),
    line: place?.line ?? 1,
    ...(place === undefined ? {} : columns(place)),
    title: code,
  };
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escapedProperty(String(value))}`);
  const text = hint === undefined ? message : `${message}\nhint: ${hint}`;
  return `::${commands[severity]} ${written.join(',')}::${escaped(text)}`;
}

/** GitHub shows columns only for a place within one line. */
function columns({ line, column, endLine, endColumn }: NonNullable<Issue['place']>): Readonly<Record<string, number>> {
  return line === endLine ? { col: column, endLine, endColumn } : { endLine };
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
