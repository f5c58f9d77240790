// The changes view: plans and their repairs, plans that people edited, and a comparison with another run.
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { isJsonArray, isJsonObject, type Json } from '../../../base/json.ts';
import type { StoredValue } from '../../../engine/record/event-parts.schema.ts';
import { repairBriefOf } from '../../../view/why/why-repair.ts';
import { Lines } from '../parts/lines.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PlanDiffList } from '../parts/plan-diff-list.tsx';
import { StepLink } from '../parts/step-link.tsx';
import { TextDiff } from '../parts/text-diff.tsx';
import { eventsUntil, type Moment, runs, shown } from '../state/run.ts';
import { comparison, keptValue } from '../state/server.ts';

export function ChangesView() {
  const moment = shown.value;
  if (moment === undefined) return null;
  const { state } = moment;
  const repairs = [...state.steps.values()].filter((step) => step.repairs !== undefined);
  return (
    <div class="changes">
      <h2>plans that repair others</h2>
      {repairs.length === 0 && <p class="dim">None: no plan of this run was repaired.</p>}
      {repairs.map((step) => {
        const repair = repairBriefOf(state, step);
        return (
          <section key={step.id}>
            <p>
              <StepLink id={step.id} />{' '}
              {repair?.planner === undefined ? (
                'repairs a step of the template'
              ) : (
                <>
                  in place of <StepLink id={repair.planner} />
                </>
              )}
              , trial {repair?.trial}
              {state.phases.get(step.id) !== undefined && (
                <span class="dim">: {state.phases.get(step.id)?.rationale}</span>
              )}
            </p>
            {repair?.diff === undefined ? (
              <p class="dim">It has not planned yet.</p>
            ) : (
              <PlanDiffList diff={repair.diff} />
            )}
          </section>
        );
      })}
      <EditedPlans moment={moment} />
      <RunComparison moment={moment} />
    </div>
  );
}

/** A plan that a person edited at a gate. */
interface PlanEdit {
  readonly gate: string;
  readonly step: string;
  readonly by: string;
  readonly before: StoredValue | undefined;
  readonly after: StoredValue;
}

function EditedPlans({ moment }: { readonly moment: Moment }) {
  const edits = editsOf(moment);
  return (
    <>
      <h2>plans that people edited</h2>
      {edits.length === 0 && <p class="dim">None.</p>}
      {edits.map(({ gate, step, by, before, after }) => (
        <section key={gate}>
          <p>
            {gate} of <StepLink id={step} />, by {by}
          </p>
          <Loaded
            of={`${moment.run} ${gate}`}
            load={() => Promise.all([before === undefined ? null : keptValue(before), keptValue(after)])}
          >
            {([old, fresh]) => <TextDiff before={planLines(old)} after={planLines(fresh)} />}
          </Loaded>
        </section>
      ))}
    </>
  );
}

function editsOf(moment: Moment): readonly PlanEdit[] {
  const proposed = new Map<string, StoredValue>();
  const edits: PlanEdit[] = [];
  for (const { event } of eventsUntil(moment)) {
    if (event.type === 'plan.proposed') proposed.set(event.step, event.reply);
    if (event.type !== 'gate.decided' || event.verdict !== 'edit' || event.value === undefined) continue;
    const step = moment.state.gates.get(event.gate)?.step ?? '';
    edits.push({ gate: event.gate, step, by: event.by, before: proposed.get(step), after: event.value });
  }
  return edits;
}

/** The steps and other keys of a plan, as lines for a diff. */
function planLines(plan: Json): readonly string[] {
  const read = typeof plan === 'string' ? parsed(plan) : plan;
  const steps = isJsonObject(read) && isJsonArray(read.steps) ? { ...read, steps: read.steps } : read;
  return JSON.stringify(steps, null, 2).split('\n');
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** A comparison in the lines of `reconverge diff`. */
function RunComparison({ moment }: { readonly moment: Moment }) {
  const id = useId();
  const other = useSignal('');
  const { run, version } = moment;
  return (
    <>
      <h2>
        <label for={id}>compared with another run</label>
      </h2>
      <select
        id={id}
        value={other.value}
        onChange={(event) => {
          other.value = event.currentTarget.value;
        }}
      >
        <option value="">choose one …</option>
        {(runs.value ?? [])
          .filter((each) => each.id !== run)
          .map((each) => (
            <option key={each.id} value={each.id}>
              {each.id} {each.template}, {each.status}
            </option>
          ))}
      </select>
      {other.value !== '' && (
        <Loaded of={`${run} ${version} ${other.value}`} load={() => comparison(run, other.value)}>
          {(lines) => <Lines lines={lines} />}
        </Loaded>
      )}
    </>
  );
}
