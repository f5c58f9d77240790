// The log lines of a step, as they are written: chosen by level and attempt, up to the shown moment.
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type KeptLogLine, type LogLevel, logLevels } from '../../../engine/record/log-line.ts';
import type { Step } from '../../../engine/state/state.ts';
import { logHomesOf, logHomeText } from '../../../view/logs/log-home.ts';
import { attributesOf } from '../../../view/logs/log-text.ts';
import { LINES_AT_ONCE } from '../../../view/logs/log-window.ts';
import { RunLink } from '../parts/run-link.tsx';
import { useLogs } from '../state/logs.ts';
import { eventsUntil, type Moment } from '../state/run.ts';

interface Props {
  readonly moment: Moment;
  readonly step: Step;
}

/** Pixels from the end within which a reader still follows it. */
const NEAR = 40;

export function LogsTab({ moment, step }: Props) {
  const level = useSignal<LogLevel>('debug');
  const attempt = useSignal(0);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const { window, why, earlier, toEnd } = useLogs({
    run: moment.run,
    step: step.id,
    level: level.value,
    attempt: attempt.value === 0 ? undefined : attempt.value,
    until: moment.isLatest ? undefined : moment.state.at,
  });
  const last = window?.lines.at(-1)?.number;
  useLayoutEffect(() => {
    if (box.current !== null && follows.current) box.current.scrollTop = box.current.scrollHeight;
  }, [last]);
  const hasLines = last !== undefined;
  useLayoutEffect(() => {
    if (hasLines) box.current?.scrollIntoView({ block: 'nearest' });
  }, [hasLines]);
  if (why !== undefined) return <p class="text-bad">the log could not be loaded: {why}</p>;
  if (window === undefined) return <p class="dim">loading …</p>;
  const { lines, hasEarlier, isAtEnd } = window;
  return (
    <>
      <div class="log-choice">
        <Choice
          label="level"
          value={level.value}
          options={logLevels.map((each) => [each, levelNames[each]])}
          onChoose={(chosen) => {
            level.value = logLevels.find((each) => each === chosen) ?? 'debug';
          }}
        />
        {step.attempt > 1 && (
          <Choice
            label="attempt"
            value={String(attempt.value)}
            options={[['0', 'all'], ...attemptsOf(step)]}
            onChoose={(chosen) => {
              attempt.value = Number(chosen);
            }}
          />
        )}
      </div>
      <Homes moment={moment} step={step} />
      {lines.length === 0 ? (
        <p class="dim">
          {level.value === 'debug' && attempt.value === 0
            ? 'It has no log lines. Capabilities write them with ctx.log; MCP servers and programs on their standard error.'
            : 'It has no log lines of this choice.'}
        </p>
      ) : (
        <div
          ref={box}
          class="log-lines"
          role="log"
          aria-label={`log of ${step.id}`}
          aria-live="off"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
          tabIndex={0}
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            follows.current = scrollHeight - scrollTop - clientHeight < NEAR;
          }}
        >
          {hasEarlier && (
            <button type="button" class="link" onClick={earlier}>
              {LINES_AT_ONCE} earlier lines
            </button>
          )}
          {lines.map((line) => (
            <LogRow key={line.number} line={line} isTold={step.attempt > 1} />
          ))}
          {!isAtEnd && (
            <button type="button" class="link" onClick={toEnd}>
              to the last lines
            </button>
          )}
        </div>
      )}
    </>
  );
}

const levelNames: Readonly<Record<LogLevel, string>> = {
  debug: 'all',
  info: 'info and above',
  warn: 'warnings and errors',
  error: 'errors',
};

function attemptsOf({ attempt }: Step): readonly (readonly [string, string])[] {
  return Array.from({ length: attempt }, (_, index) => [String(index + 1), String(index + 1)] as const);
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Links to the runs in which the step did its work. */
function Homes({ moment, step }: Props) {
  return (
    <>
      {logHomesOf(moment.state, eventsUntil(moment), step.id).map((home) => (
        <p key={`${home.why} ${home.run}`} class="dim">
          {logHomeText(home, step.id)}:{' '}
          {home.why === 'copied' ? <RunLink run={home.run} step={step.id} /> : <RunLink run={home.run} />}
        </p>
      ))}
    </>
  );
}

function LogRow({ line, isTold }: { readonly line: KeptLogLine; readonly isTold: boolean }) {
  const { at, level, attempt, source, message, data = {} } = line;
  const { shown, stacks } = attributesOf(data);
  return (
    <div class={`log-line log-${level}`}>
      <time dateTime={new Date(at).toISOString()} title={new Date(at).toISOString()}>
        {timeText(at)}
      </time>{' '}
      <span class="log-level">{level}</span>
      {isTold && <span class="dim"> #{attempt}</span>} {source !== undefined && <span class="dim">{source}: </span>}
      <span class="log-message">{message}</span>
      {shown !== '' && <span class="log-data"> {shown}</span>}
      {stacks.length > 0 && <pre class="log-stack">{stacks.join('\n')}</pre>}
    </div>
  );
}

/** In the reader's time zone, like the other times of the page. */
function timeText(at: number): string {
  return `${new Date(at).toLocaleTimeString('en-GB')}.${String(at % 1_000).padStart(3, '0')}`;
}
