// Reports issues with their hints, and with the source line and a caret if the place is known.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { hasErrors, type Issue } from '../base/issue.ts';
import { issuesToJson, issueTexts } from '../template/diagnostic.ts';
import { hanging, type Line, span, type Tone } from '../view/line.ts';
import type { Call, ParsedArguments } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { asCalled } from './store-file.ts';
import { writeLines } from './terminal.ts';

/** Texts that are not files, by the names that places use for them. */
type Texts = Readonly<Record<string, string>>;

/** Writes text for people to standard error, or `{ issues }` for machines to standard output. */
export function refuse({ given, terminal }: Call, issues: readonly Issue[], texts: Texts = {}): ExitCode {
  if (given.has('json')) terminal.json({ issues: issuesToJson(issues.map((each) => hintAsCalled(given, each))) });
  else sayIssues(given, issues, texts);
  return hasErrors(issues) ? exitCodes.issues : exitCodes.done;
}

export function sayIssues(given: ParsedArguments, issues: readonly Issue[], texts: Texts = {}): void {
  if (issues.length === 0) return;
  const called = issues.map((each) => hintAsCalled(given, each));
  writeLines(process.stderr, issueTexts(called, linesReader(texts)).flatMap(linesOfIssue));
}

export function hintAsCalled(given: ParsedArguments, found: Issue): Issue {
  return found.hint === undefined ? found : { ...found, hint: asCalled(given, found.hint) };
}

/** Reads each file once; returns undefined for an unreadable file. */
function linesReader(texts: Texts): (file: string) => readonly string[] | undefined {
  const known = new Map<string, readonly string[] | undefined>();
  return (file) => {
    if (!known.has(file)) known.set(file, texts[file]?.split('\n') ?? linesOf(file));
    return known.get(file);
  };
}

function linesOf(file: string): readonly string[] | undefined {
  try {
    return readFileSync(resolve(file), 'utf8').split(/\r?\n/);
  } catch {
    return undefined;
  }
}

const tones = { error: 'bad', warning: 'warn', info: 'busy', quiet: 'dim' } as const satisfies Record<string, Tone>;

function linesOfIssue({ head, source, hint }: ReturnType<typeof issueTexts>[number]): readonly Line[] {
  const painted = (pieces: typeof head): Line => pieces.map(({ text, tone }) => span(text, tone && tones[tone]));
  return [
    painted(head),
    // Tabs stay as they are in the file, so that the caret stays under its text.
    ...source.map((pieces) =>
      pieces.map(({ text, tone }): Line[number] => ({
        text: text.replace(/[^\P{Cc}\t]/gu, ' '),
        whole: true,
        ...(tone && { tone: tones[tone] }),
      })),
    ),
    ...(hint === undefined ? [] : [[span('   hint: '), hanging(hint)]]),
  ];
}
