// The attempts of each step over the time of the run.
import { durationText, type Instant } from '../../../base/quantity.ts';
import type { StepHistory } from '../../../view/history.ts';
import { StepLink } from '../parts/step-link.tsx';
import { history } from '../state/budget.ts';
import { shown } from '../state/run.ts';

/** The most rows that are drawn. */
const MOST = 500;

export function TimelineView() {
  const moment = shown.value;
  const [first] = moment?.all ?? [];
  if (moment === undefined || first === undefined) return null;
  const began = first.at;
  const whole = Math.max(1, moment.state.at - began);
  const part = (duration: number): string => `${(100 * duration) / whole}%`;
  const rows = [...(history.value ?? [])].filter(([, { attempts }]) => attempts.length > 0);
  return (
    <table class="steps waterfall">
      <thead>
        <tr>
          <th scope="col">step</th>
          <th scope="col">0 to {durationText(whole)}</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, MOST).map(([id, { attempts }]: readonly [string, StepHistory]) => (
          <tr key={id}>
            <th scope="row">
              <StepLink id={id} />
            </th>
            <td>
              {attempts.map(({ attempt, delivery, startedAt, endedAt, end }) => {
                const until: Instant = endedAt ?? moment.state.at;
                return (
                  <i
                    key={`${attempt}.${delivery}`}
                    class={`bar-${end === 'completed' ? 'completed' : endedAt === undefined ? 'running' : 'failed'}`}
                    style={{ left: part(startedAt - began), width: part(until - startedAt) }}
                    title={`attempt ${attempt}: ${durationText(until - startedAt)}`}
                  />
                );
              })}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
