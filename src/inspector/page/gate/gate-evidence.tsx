// The evidence at a gate: what speaks against a yes, what the run did, what will be written, and the facts that the step gave.
import { durationText } from '../../../base/quantity.ts';
import type { GateView } from '../../../engine/state/run-view.ts';
import type { GateFacts } from '../../../view/gate/gate-facts.ts';
import { isNearlySpent, resourceName, shortAmount } from '../../../view/head/meters.ts';
import { repairOutcomeText } from '../../../view/repair-outcome.ts';
import { localName } from '../../../view/status.ts';
import { type RootCause, shortfallsOf } from '../../../view/summary.ts';
import type { GateForm } from '../../wire.schema.ts';
import { FailureLinks } from '../head/failure-links.tsx';
import { Fold } from '../parts/fold.tsx';
import { budget } from '../state/budget.ts';
import { head } from '../state/head.ts';
import { phases } from '../state/phases.ts';
import { go } from '../state/place.ts';
import type { Moment } from '../state/run.ts';

interface EvidenceProps {
  readonly moment: Moment;
  readonly gate: GateView;
  readonly facts: GateFacts;
  readonly form: GateForm;
}

/** The most failures that are listed one by one. */
const FEW = 6;

export function GateEvidence({ moment, gate, facts, form }: EvidenceProps) {
  const { failed, tolerated } = shortfallsOf(moment.state);
  const against = [...failed, ...tolerated];
  return (
    <>
      {against.length > 0 && (
        <section class="evidence">
          <h2>What speaks against it</h2>
          {against.length <= FEW ? (
            <ul class="against">
              {against.map((cause) => (
                <Against key={cause.step} cause={cause} />
              ))}
            </ul>
          ) : (
            <FailureLinks failures={head.value?.failures ?? []} />
          )}
        </section>
      )}
      <section class="evidence">
        <h2>What it did</h2>
        <Done since={gate.openedAt - moment.state.startedAt} />
      </section>
      {facts.writes.length > 0 && (
        <section class="evidence">
          <h2>What will be written</h2>
          <ul class="writes">
            {facts.writes.map(({ step, capability, effects, target }) => (
              <li key={step}>
                {target !== undefined && <code>{target}</code>}
                <div class="dim">
                  {localName(step)} · {capability} · {effects.join(', ')}
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      <GateContext form={form} showsPlan={false} />
    </>
  );
}

function Against({ cause }: { readonly cause: RootCause }) {
  const { step, message, takenUp, behind } = cause;
  const repaired = takenUp?.outcome === 'repaired';
  return (
    <li>
      <span class={repaired ? 'text-busy' : 'text-bad'} aria-hidden="true">
        {repaired ? '⟲' : '✗'}
      </span>
      <div>
        <button type="button" class="link" onClick={() => go({ step, gate: undefined })}>
          {pathOf(step)}
        </button>
        <div class="dim">
          {message}
          {takenUp !== undefined && `: ${repairOutcomeText(takenUp)}`}
          {behind > 0 && `; ${behind} not run because of it`}
        </div>
      </div>
    </li>
  );
}

/** `customers › dedupe_west` */
function pathOf(step: string): string {
  const tree = phases.value;
  const key = tree?.phaseOf.get(step);
  const title = key === undefined || key === step ? undefined : tree?.phases.get(key)?.title;
  return title === undefined ? localName(step) : `${title} › ${localName(step)}`;
}

const listed: readonly string[] = ['cost_usd', 'time', 'steps', 'llm_calls', 'tool_calls'];

function Done({ since }: { readonly since: number }) {
  const rows = (budget.value?.run.rows ?? []).filter(({ resource }) => listed.includes(resource));
  return (
    <>
      <p>{head.value?.figures}</p>
      <dl class="times">
        {rows.map((row) => (
          <div key={row.resource} class={isNearlySpent(row) ? 'text-bad' : undefined}>
            <dt>{resourceName(row.resource)}</dt>
            <dd>
              {shortAmount(row.resource, row.spent)}
              {row.limit === undefined ? '' : ` of ${shortAmount(row.resource, row.limit)}`}
            </dd>
          </div>
        ))}
        <div>
          <dt>asked after</dt>
          <dd>{durationText(Math.max(0, since))}</dd>
        </div>
      </dl>
    </>
  );
}

/** A longer text is folded at first. */
const SHORT_TEXT = 1_500;

export function GateContext({ form, showsPlan }: { readonly form: GateForm; readonly showsPlan: boolean }) {
  return (
    <>
      {form.context.map(({ name, text }) => (
        <Fold key={name} title={name.replaceAll('_', ' ')} open={text.length < SHORT_TEXT}>
          {() => <Written text={text} />}
        </Fold>
      ))}
      {showsPlan && form.plan !== undefined && (
        <Fold title="plan" open>
          {() => <Written text={form.plan} />}
        </Fold>
      )}
    </>
  );
}

function Written({ text }: { readonly text: string | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long text
    <pre class="yaml" tabIndex={0}>
      {text}
    </pre>
  );
}
