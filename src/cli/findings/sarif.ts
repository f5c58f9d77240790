// Writes issues as SARIF 2.1.0, the format of GitHub code scanning and of other viewers of findings.
import type { Issue, Mend } from '../../base/issue.ts';
import { defined, type JsonObject } from '../../base/json.ts';
import type { Place } from '../../base/place.ts';

/** The meaning of a code, and how to fix it. */
export interface CodeHelp {
  readonly meaning: string;
  readonly fix: string;
}

export interface FileFindings {
  readonly file: string;
  readonly issues: readonly Issue[];
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const HOME = 'https://github.com/reconverge/reconverge';

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

/** One run with a rule for each code that occurs. Columns count UTF-16 units, as those of places do. */
export function sarifLog(
  files: readonly FileFindings[],
  version: string,
  help: (code: string) => CodeHelp,
): JsonObject {
  const found = files.flatMap(({ file, issues }) => issues.map((issue) => ({ file, issue })));
  const codes = [...new Set(found.map(({ issue }) => issue.code))].sort();
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'reconverge',
            version,
            informationUri: HOME,
            rules: codes.map((code) => rule(code, help(code))),
          },
        },
        columnKind: 'utf16CodeUnits',
        artifacts: files.map(({ file }) => ({ location: { uri: uriOf(file) } })),
        results: found.map(({ file, issue }) => result(issue, file, codes.indexOf(issue.code))),
      },
    ],
  };
}

function rule(code: string, { meaning, fix }: CodeHelp): JsonObject {
  return {
    id: code,
    name: code
      .toLowerCase()
      .split('_')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(''),
    shortDescription: { text: meaning },
    help: { text: `${meaning}\n\nFix: ${fix}`, markdown: `${meaning}\n\n**Fix:** ${fix}` },
    helpUri: `${HOME}/blob/main/docs/errors.md`,
  };
}

function result(issue: Issue, file: string, ruleIndex: number): JsonObject {
  const { code, severity, message, hint, place, mend } = issue;
  const text = hint === undefined ? sentence(message) : `${sentence(message)} Hint: ${sentence(hint)}`;
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: { text },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(place?.file ?? file) },
          region: place === undefined ? { startLine: 1 } : region(place),
        },
      },
    ],
    ...defined({ fixes: mend === undefined ? undefined : [fixOf(mend)] }),
  };
}

function fixOf({ title, edits }: Mend): JsonObject {
  const files = Map.groupBy(edits, ({ place }) => place.file);
  return {
    description: { text: title },
    artifactChanges: [...files].map(([file, changes]) => ({
      artifactLocation: { uri: uriOf(file) },
      replacements: changes.map(({ place, text }) => ({ deletedRegion: region(place), insertedContent: { text } })),
    })),
  };
}

function region({ line, column, endLine, endColumn }: Place): JsonObject {
  return { startLine: line, startColumn: column, endLine, endColumn };
}

function sentence(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}

/** Paths with slashes and without signs that a URI reserves. */
function uriOf(file: string): string {
  return file
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => (part === '..' ? part : encodeURIComponent(part)))
    .join('/');
}
