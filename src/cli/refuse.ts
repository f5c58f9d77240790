// Says what is wrong and how to mend it, with the line and a caret where there is one.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { styleText } from 'node:util';
import { hasErrors, type Issue, issue } from '../base/issue.ts';
import type { StoreRefused } from '../store/store-refused.ts';
import { issuesToJson, renderIssues, type Style } from '../template/diagnostic.ts';
import type { Call, Given } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { asCalled } from './store-file.ts';

/** Texts that are not in files, by the name that places in them have. */
type Texts = Readonly<Record<string, string>>;

/** For people on standard error, for machines `{ issues }` on standard output. */
export function refuse({ given, terminal }: Call, issues: readonly Issue[], texts: Texts = {}): ExitCode {
  if (given.has('json')) terminal.json({ issues: issuesToJson(issues.map((each) => hintAsCalled(given, each))) });
  else sayIssues(given, issues, texts);
  return hasErrors(issues) ? exitCodes.issues : exitCodes.done;
}

export function storeIssue({ code, message, hint }: StoreRefused): Issue {
  return issue(code, message, { hint });
}

export function sayIssues(given: Given, issues: readonly Issue[], texts: Texts = {}): void {
  if (issues.length === 0) return;
  const called = issues.map((each) => hintAsCalled(given, each));
  process.stderr.write(`${renderIssues(called, linesReader(texts), styleOf(process.stderr))}\n`);
}

export function hintAsCalled(given: Given, found: Issue): Issue {
  return found.hint === undefined ? found : { ...found, hint: asCalled(given, found.hint) };
}

/** Reads each file once; nothing for a file that cannot be read. */
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

function styleOf(stream: NodeJS.WriteStream): Style {
  const formats = { error: 'red', warning: 'yellow', info: 'cyan', quiet: 'dim' } as const;
  return (tone, text) => styleText(formats[tone], text, { stream });
}
