// The last runs of a template as small bars: one for each run, the last one in the accent color.
import type { PastRun } from '../../../view/runs/run-groups.ts';

const HEIGHT = 20;
const STEP = 8;
const WIDTH = 6;
const LEAST = 2;

interface Props {
  readonly name: string;
  readonly history: readonly PastRun[];
  readonly of: (run: PastRun) => number;
  readonly text: (value: number) => string;
}

export function HistoryBars({ name, history, of, text }: Props) {
  const values = history.map(of);
  const most = Math.max(...values, 1);
  const last = values.at(-1) ?? 0;
  const label = `${name} of the last ${values.length} runs: last ${text(last)}, most ${text(Math.max(...values, 0))}`;
  return (
    <span class="history">
      <svg width={values.length * STEP} height={HEIGHT} role="img" aria-label={label}>
        <title>{label}</title>
        {history.map((run, place) => {
          const height = Math.max(LEAST, (of(run) / most) * (HEIGHT - 1));
          return (
            <rect
              key={run.id}
              class={place === values.length - 1 ? 'last' : undefined}
              x={place * STEP}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
              rx="1"
            />
          );
        })}
      </svg>
      <span class="dim">{text(last)}</span>
    </span>
  );
}

const ends: Readonly<Record<PastRun['end'], { readonly sign: string; readonly word: string }>> = {
  good: { sign: '✓', word: 'completed' },
  part: { sign: '◐', word: 'partial' },
  bad: { sign: '✗', word: 'failed or cancelled' },
  open: { sign: '·', word: 'not ended' },
};

/** The ends of the last runs, as a sign for each. */
export function HistoryEnds({ history }: { readonly history: readonly PastRun[] }) {
  const good = history.filter(({ end }) => end === 'good').length;
  const label = `${good} of the last ${history.length} runs completed: ${history.map(({ end }) => ends[end].word).join(', ')}`;
  return (
    <span class="history-ends" role="img" aria-label={label} title={label}>
      {history.map(({ id, end }) => (
        <span key={id} class={`end-${end}`} aria-hidden="true">
          {ends[end].sign}
        </span>
      ))}
    </span>
  );
}
