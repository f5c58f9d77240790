// Shows the lines that two texts do not share, with two shared lines around each change.
import { structuredPatch } from 'diff';
import type { Duration } from '../../../base/quantity.ts';

interface Row {
  readonly sign: string;
  readonly text: string;
}

const CONTEXT = 2;
/** Texts that share almost nothing take seconds to compare. */
const TIMEOUT: Duration = 500;
const omitted: Row = { sign: ' ', text: '…' };

export function TextDiff({ before, after }: { readonly before: readonly string[]; readonly after: readonly string[] }) {
  const rows = changedRows(before, after) ?? [...withSign('-', before), ...withSign('+', after)];
  return (
    <pre class="text-diff">
      {rows.map(({ sign, text }, index) => (
        <span key={index} class={sign === '-' ? 'removed' : sign === '+' ? 'added' : 'same'}>
          {sign} {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

/** Nothing if the comparison exceeds its timeout. */
function changedRows(before: readonly string[], after: readonly string[]): readonly Row[] | undefined {
  const [old, fresh] = [before, after].map((lines) => lines.map((line) => `${line}\n`).join(''));
  const options = { context: CONTEXT, timeout: TIMEOUT };
  const patch = structuredPatch('', '', old ?? '', fresh ?? '', undefined, undefined, options);
  return patch?.hunks.flatMap(({ lines, oldStart, oldLines }) => {
    const rows = lines.map((line) => ({ sign: line.slice(0, 1), text: line.slice(1) }));
    return oldStart + oldLines > before.length ? rows : [...rows, omitted];
  });
}

function withSign(sign: '-' | '+', lines: readonly string[]): readonly Row[] {
  return lines.map((text) => ({ sign, text }));
}
