// The first part of a step's drawer: the failure, the attempts over time, the neighbors, and the times.
import { type Duration, durationText } from '../../../base/quantity.ts';
import { type StepWaits, stepWaits } from '../../../view/step/step-waits.ts';
import type { Why } from '../../../view/why/why.ts';
import { RunLink } from '../parts/run-link.tsx';
import { StepLink } from '../parts/step-link.tsx';
import { StepName } from '../parts/step-name.tsx';
import type { Moment } from '../state/run.ts';
import { AttemptWaterfall } from './attempt-waterfall.tsx';
import { FailureBox } from './failure-box.tsx';
import { ShortList } from './short-list.tsx';

export function StepOverview({ moment, explanation }: { readonly moment: Moment; readonly explanation: Why }) {
  const { step: id, dependencies, neededBy, attempts, repair } = explanation;
  const times = moment.times.steps.get(id);
  const children = [...new Set(attempts.flatMap(({ child }) => child ?? []))];
  const replans = [...moment.state.steps.values()].filter(({ repairs }) => repairs?.planner === id);
  return (
    <>
      <FailureBox moment={moment} explanation={explanation} />
      {times !== undefined && times.attempts.length > 0 && <AttemptWaterfall times={times} now={moment.state.at} />}
      <Neighbors title="Waits for" none="nothing" moment={moment} steps={dependencies.map(({ step }) => step)} />
      <Neighbors title="Needed by" none="nothing" moment={moment} steps={neededBy} />
      {children.length > 0 && (
        <>
          <h3>{children.length === 1 ? 'Child run' : 'Child runs'}</h3>
          <ul class="neighbors">
            {children.map((run) => (
              <li key={run}>
                <RunLink run={run} />
              </li>
            ))}
          </ul>
        </>
      )}
      {repair !== undefined && (
        <Neighbors
          title="Replans"
          none="the whole phase"
          moment={moment}
          steps={repair.failing.map(({ step }) => step)}
        />
      )}
      {replans.length > 0 && (
        <>
          <h3>Replanned by</h3>
          <ul class="neighbors">
            {replans.map((each) => (
              <li key={each.id}>
                ⟲ <StepLink id={each.id} />
              </li>
            ))}
          </ul>
        </>
      )}
      {times !== undefined && <Times waits={stepWaits(times, moment.state.at)} />}
    </>
  );
}

interface NeighborsProps {
  readonly title: string;
  readonly none: string;
  readonly moment: Moment;
  readonly steps: readonly string[];
}

function Neighbors({ title, none, moment, steps }: NeighborsProps) {
  return (
    <>
      <h3>{title}</h3>
      {steps.length === 0 ? (
        <p class="dim">{none}</p>
      ) : (
        <ShortList items={steps}>{(step) => <StepName moment={moment} id={step} />}</ShortList>
      )}
    </>
  );
}

const rows: readonly (readonly [keyof StepWaits, string])[] = [
  ['waited', 'waited for others'],
  ['queued', 'queued'],
  ['held', 'waited for people'],
  ['paused', 'paused before a retry'],
  ['worked', 'at work'],
];

const always: readonly (keyof StepWaits)[] = ['waited', 'queued', 'worked'];

function Times({ waits }: { readonly waits: StepWaits }) {
  const shown = rows.filter(([key]) => waits[key] > 0 || always.includes(key));
  return (
    <>
      <h3>When</h3>
      <dl class="times">
        {shown.map(([key, label]) => (
          <Time key={key} label={label} duration={waits[key]} />
        ))}
      </dl>
    </>
  );
}

function Time({ label, duration }: { readonly label: string; readonly duration: Duration }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{durationText(duration)}</dd>
    </div>
  );
}
