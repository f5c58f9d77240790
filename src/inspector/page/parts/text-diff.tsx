// Two texts line by line: what is left out, what is added, and a little of what stays around them.

interface Row {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** Longer texts are not compared: the table of what they share would be too large. */
const MOST = 3_000;
const AROUND = 2;

export function TextDiff({ before, after }: { readonly before: readonly string[]; readonly after: readonly string[] }) {
  const rows = nearChanges(compare(before.slice(0, MOST), after.slice(0, MOST)));
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

/** By their longest common run of lines. */
function compare(before: readonly string[], after: readonly string[]): readonly Row[] {
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const right = common[i * width + j + 1] ?? 0;
      const below = common[(i + 1) * width + j] ?? 0;
      common[i * width + j] =
        before[i] === after[j] ? 1 + (common[(i + 1) * width + j + 1] ?? 0) : Math.max(right, below);
    }
  }
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    if (old !== undefined && old === fresh) {
      rows.push({ sign: ' ', text: old });
      i++;
      j++;
    } else if (
      fresh === undefined ||
      (old !== undefined && (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      rows.push({ sign: '-', text: old ?? '' });
      i++;
    } else {
      rows.push({ sign: '+', text: fresh });
      j++;
    }
  }
  return rows;
}

function nearChanges(rows: readonly Row[]): readonly Row[] {
  const kept = new Set<number>();
  rows.forEach(({ sign }, index) => {
    if (sign === ' ') return;
    for (let near = index - AROUND; near <= index + AROUND; near++) kept.add(near);
  });
  return rows.flatMap((row, index) => {
    if (kept.has(index)) return [row];
    return kept.has(index - 1) ? [{ sign: ' ', text: '…' } as const] : [];
  });
}
