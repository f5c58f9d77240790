// Plans that people edited before the graft: a line diff of the proposal and the result.
import { isJsonArray, isJsonObject, type Json } from '../../../base/json.ts';
import type { StoredValue } from '../../../engine/record/event-parts.schema.ts';
import { Loaded } from '../parts/loaded.tsx';
import { StepLink } from '../parts/step-link.tsx';
import { TextDiff } from '../parts/text-diff.tsx';
import { eventsUntil, type Moment } from '../state/run.ts';
import { keptValue } from '../state/server.ts';

interface Edit {
  readonly gate: string;
  readonly step: string;
  readonly by: string;
  readonly before: StoredValue | undefined;
  readonly after: StoredValue;
}

export function EditedPlans({ moment }: { readonly moment: Moment }) {
  const edits = editsOf(moment);
  return (
    <>
      <h3>plans that people have edited</h3>
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

function editsOf(moment: Moment): readonly Edit[] {
  const proposed = new Map<string, StoredValue>();
  const edits: Edit[] = [];
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
