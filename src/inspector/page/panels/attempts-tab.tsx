// The attempts of a step: their outcome, failure, cost, and calls of models and tools.
import { durationText } from '../../../base/quantity.ts';
import { amountText } from '../../../view/amount-text.ts';
import { callText } from '../../../view/why/call-text.ts';
import type { Why, WhyAttempt } from '../../../view/why/why.ts';
import { Fold } from '../parts/fold.tsx';
import { Issues } from '../parts/issues.tsx';
import { RunLink } from '../parts/run-link.tsx';
import { KeptValue } from '../parts/value.tsx';
import { Asked } from './asked.tsx';

export function AttemptsTab({ told }: { readonly told: Why }) {
  if (told.attempts.length === 0) return <p class="dim">It has not begun.</p>;
  return (
    <ol class="attempts">
      {told.attempts.map((attempt) => (
        <li key={`${attempt.attempt}.${attempt.delivery}`}>
          <Attempt attempt={attempt} />
        </li>
      ))}
    </ol>
  );
}

const bad: readonly string[] = ['failed', 'rejected', 'lost'];

function Attempt({ attempt }: { readonly attempt: WhyAttempt }) {
  const {
    startedAt,
    endedAt,
    end = 'under way',
    delivery,
    failure,
    diagnosis,
    issues = [],
    calls,
    bill,
    assumed,
    child,
  } = attempt;
  return (
    <>
      <h3>
        attempt {attempt.attempt}
        {delivery > 1 ? `, delivery ${delivery}` : ''}:{' '}
        <span class={bad.includes(end) ? 'text-bad' : end === 'completed' ? 'text-good' : 'text-busy'}>{end}</span>
      </h3>
      <p class="dim">
        {endedAt === undefined ? 'since ' : 'after '}
        {endedAt === undefined ? new Date(startedAt).toLocaleTimeString('en-GB') : durationText(endedAt - startedAt)}
        {bill === undefined ? '' : ` · ${amountText(bill)}`}
        {assumed === undefined ? '' : ` (assumed: ${amountText(assumed)})`}
        {child !== undefined && (
          <>
            {' · '}
            <RunLink run={child} />
          </>
        )}
      </p>
      {failure !== undefined && (
        <p class="failure">
          <code>{failure.code}</code> {failure.message}
        </p>
      )}
      {diagnosis !== undefined && diagnosis !== failure?.message && <p class="failure">verification: {diagnosis}</p>}
      {issues.length > 0 && <Issues issues={issues} />}
      {calls.map((call) => (
        <Fold
          key={`${call.call} ${call.startedAt}`}
          title={
            <>
              <span class={call.failure === undefined ? 'text-busy' : 'text-bad'}>
                {attempt.attempt}.{call.call}
              </span>{' '}
              {callText(call)}
            </>
          }
        >
          {() => (
            <>
              <h4>
                {call.kind === 'model' ? `prompt${call.prompt === undefined ? '' : ` (${call.prompt})`}` : 'asked'}
              </h4>
              <Asked digest={call.request} />
              {call.value !== undefined && (
                <>
                  <h4>{call.kind === 'model' ? 'raw reply' : 'answer'}</h4>
                  <KeptValue kept={call.value} />
                </>
              )}
            </>
          )}
        </Fold>
      ))}
    </>
  );
}
