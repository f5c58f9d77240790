// Reads the text of `git log -p`, and finds the change that last touched a line.

interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  /** Each line with its mark: ` ` kept, `-` removed, `+` added. */
  readonly lines: readonly string[];
}

export interface FileChange {
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

export interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly date: string;
  readonly subject: string;
  readonly files: readonly FileChange[];
}

/** The newest commit comes first, as in the text. */
export function readHistory(text: string): readonly Commit[] {
  return text
    .split(/^(?=commit [0-9a-f]{7,40}\b)/m)
    .filter((part) => part.startsWith('commit '))
    .map((part) => {
      const [head = '', ...diffs] = part.split(/^(?=diff --git )/m);
      const [, hash = ''] = /^commit ([0-9a-f]+)/.exec(head) ?? [];
      const subject = /^ {4}(\S.*)$/m.exec(head)?.[1] ?? '';
      const author = /^Author:\s*(.*?)\s*(?:<.*)?$/m.exec(head)?.[1] ?? '';
      const date = /^(?:Author)?Date:\s*(.*)$/m.exec(head)?.[1] ?? '';
      return { hash, author, date, subject, files: diffs.flatMap(fileChange) };
    });
}

function fileChange(diff: string): readonly FileChange[] {
  const path = /^\+\+\+ b\/(.*?)\t?$/m.exec(diff)?.[1] ?? /^--- a\/(.*?)\t?$/m.exec(diff)?.[1];
  if (path === undefined) return [];
  const hunks = diff
    .split(/^(?=@@ -\d)/m)
    .slice(1)
    .map((part) => {
      const [head = '', ...lines] = part.split('\n');
      const [, oldStart = '0', newStart = '0'] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(head) ?? [];
      return {
        oldStart: Number(oldStart),
        newStart: Number(newStart),
        lines: lines.filter((line) => /^[ +-]/.test(line)),
      };
    });
  return [{ path, hunks }];
}

const bare = (line: string): string => line.slice(1).replace(/\s+/g, '');

/** True when the hunk changes nothing but white space. */
export function isFormatting({ lines }: Hunk): boolean {
  const text = (mark: string): string =>
    lines
      .filter((line) => line.startsWith(mark))
      .map(bare)
      .join('');
  return text('-') === text('+');
}

/** The changed lines of a file, without those that only moved white space. */
export function changedLines({ hunks }: FileChange): readonly string[] {
  return hunks.flatMap((hunk) => (isFormatting(hunk) ? [] : hunk.lines.filter((line) => !line.startsWith(' '))));
}

export interface Blame {
  readonly commit: Commit;
  /** The distance in lines between the place and the change. */
  readonly distance: number;
}

/**
 * Follows a line of the newest version back through the commits, and lists those that changed it or a line near it, the
 * newest first.
 */
export function blame(commits: readonly Commit[], path: string, line: number, near = 6): readonly Blame[] {
  const found: Blame[] = [];
  let at = line;
  for (const commit of commits) {
    const change = commit.files.find((file) => file.path === path);
    if (change === undefined) continue;
    const distances = change.hunks
      .filter((hunk) => !isFormatting(hunk))
      .flatMap((hunk) => touched(hunk).map((each) => Math.abs(each - at)));
    const distance = Math.min(...distances);
    if (distance <= near) found.push({ commit, distance });
    at = before(change.hunks, at);
  }
  return found;
}

/** The line numbers, in the new version, at which a hunk adds or removes lines. */
function touched(hunk: Hunk): readonly number[] {
  let at = hunk.newStart;
  return hunk.lines.flatMap((line) => {
    const here = at;
    if (!line.startsWith('-')) at += 1;
    return line.startsWith(' ') ? [] : [here];
  });
}

/** The number that a line had before the hunks. */
function before(hunks: readonly Hunk[], line: number): number {
  let shift = 0;
  for (const hunk of hunks) {
    const end = hunk.newStart + hunk.lines.filter((each) => !each.startsWith('-')).length;
    if (line < hunk.newStart) break;
    if (line < end) return withinHunk(hunk, line);
    shift = end - (hunk.oldStart + hunk.lines.filter((each) => !each.startsWith('+')).length);
  }
  return line - shift;
}

function withinHunk(hunk: Hunk, line: number): number {
  let old = hunk.oldStart;
  let now = hunk.newStart;
  for (const each of hunk.lines) {
    if (now === line && !each.startsWith('-')) return old;
    if (!each.startsWith('+')) old += 1;
    if (!each.startsWith('-')) now += 1;
  }
  return old;
}
