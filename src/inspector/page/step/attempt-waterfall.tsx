// The attempts of a step as bars over time, with the calls of models inside and the pauses between them.
import { durationText, type Instant } from '../../../base/quantity.ts';
import { shortMoneyText } from '../../../view/short-money-text.ts';
import { type AttemptBar, attemptBars } from '../../../view/step/step-waits.ts';
import type { CallTimes, StepTimes } from '../../../view/times/step-times.ts';

/** The most bars; the tab of the attempts has all of them. */
const MOST = 6;

const glyphs: Readonly<Record<AttemptBar['state'], string>> = { completed: '✓', failed: '✗', running: '▶' };

export function AttemptWaterfall({ times, now }: { readonly times: StepTimes; readonly now: Instant }) {
  const all = attemptBars(times, now);
  const bars = all.slice(-MOST);
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return null;
  const whole = Math.max(1, last.ended - first.began);
  const part = (duration: number): number => (100 * duration) / whole;
  const codes = new Set(bars.map(({ code }) => code));
  return (
    <>
      <h3>
        {all.length === 1 ? 'Attempt' : 'Attempts'}
        {all.length > MOST && <span class="dim"> {`the last ${MOST} of ${all.length}`}</span>}
      </h3>
      <ol class="waterfall-rows">
        {bars.map((bar, index) => (
          <li key={`${bar.number} ${bar.began}`}>
            <Bar
              bar={bar}
              showsCode={codes.size > 2}
              left={part(bar.began - first.began)}
              width={part(bar.ended - bar.began)}
            />
            {index > 0 && (
              <Pause from={part((bars[index - 1]?.ended ?? 0) - first.began)} to={part(bar.began - first.began)} />
            )}
          </li>
        ))}
      </ol>
      <p class="waterfall-axis" aria-hidden="true">
        <span>0</span>
        <span>{durationText(whole)}</span>
      </p>
    </>
  );
}

/** Below this share of the width a label has more room beside its bar. */
const NARROW = 34;

interface BarProps {
  readonly bar: AttemptBar;
  /** Attempts that failed for one reason do not repeat it. */
  readonly showsCode: boolean;
  readonly left: number;
  readonly width: number;
}

function Bar({ bar, showsCode, left, width }: BarProps) {
  const { number, state, began, ended, code, calls } = bar;
  const label = `${glyphs[state]} ${durationText(ended - began)}${code === undefined || !showsCode ? '' : ` ${code}`}`;
  const isBeside = width < NARROW;
  const place = left > 50 ? { right: `${100 - left}%` } : { left: `${left + width}%` };
  const whole = Math.max(1, ended - began);
  return (
    <>
      <span class="unseen">{`attempt ${number}: `}</span>
      <span class={`waterfall-bar fill-${state}`} style={{ left: `${left}%`, width: `${width}%` }}>
        {!isBeside && label}
        {calls
          .filter(({ kind }) => kind === 'model')
          .map((call, index) => (
            <i
              key={index}
              style={{
                left: `${(100 * (call.began - began)) / whole}%`,
                width: `${(100 * (Math.min(call.ended ?? ended, ended) - call.began)) / whole}%`,
              }}
              title={callText(call)}
            />
          ))}
      </span>
      {isBeside && (
        <span class="waterfall-label" style={place}>
          {label}
        </span>
      )}
    </>
  );
}

function Pause({ from, to }: { readonly from: number; readonly to: number }) {
  return to <= from ? null : <span class="waterfall-pause" style={{ left: `${from}%`, width: `${to - from}%` }} />;
}

function callText({ name, cost, tokens }: CallTimes): string {
  const facts = [
    cost === undefined ? [] : [shortMoneyText(cost)],
    tokens === undefined ? [] : [`${tokens} tokens`],
  ].flat();
  return `model ${name}${facts.length === 0 ? '' : `: ${facts.join(', ')}`}`;
}
