// Two runs beside each other: steps that only one of them has, those that ended otherwise, and what each has spent.
import { useSignal, useSignalEffect } from '@preact/signals';
import { useId } from 'preact/hooks';
import { limitable, quantity } from '../../../budget/amount.ts';
import { limitText } from '../../../budget/limit-text.ts';
import { RUN_ACCOUNT, type RunState } from '../../../engine/state.ts';
import { statusText } from '../../../view/status.ts';
import { resourceName } from '../parts/bars.tsx';
import { StepLink } from '../parts/step-link.tsx';
import { keptText } from '../state/kept-text.ts';
import { loadRun } from '../state/other-run.ts';
import { type Moment, runs } from '../state/run.ts';

export function RunComparison({ moment }: { readonly moment: Moment }) {
  const id = useId();
  const chosen = useSignal('');
  const other = useSignal<RunState | undefined>(undefined);
  useSignalEffect(() => {
    other.value = undefined;
    if (chosen.value === '') return;
    return loadRun(chosen.value, (state) => {
      other.value = state;
    });
  });
  return (
    <>
      <h3>
        <label for={id}>compared with another run</label>{' '}
        <select
          id={id}
          value={chosen.value}
          onChange={(event) => {
            chosen.value = event.currentTarget.value;
          }}
        >
          <option value="">choose one …</option>
          {(runs.value ?? [])
            .filter((run) => run.id !== moment.run)
            .map((run) => (
              <option key={run.id} value={run.id}>
                {run.id} {run.template} {run.status}
              </option>
            ))}
        </select>
      </h3>
      {chosen.value !== '' &&
        (other.value === undefined ? (
          <p class="dim">loading …</p>
        ) : (
          <Compared here={moment.state} there={other.value} />
        ))}
    </>
  );
}

function Compared({ here, there }: { readonly here: RunState; readonly there: RunState }) {
  const ids = [...new Set([...here.steps.keys(), ...there.steps.keys()])];
  const rows = ids.flatMap((id) => {
    const [mine, theirs] = [here.steps.get(id), there.steps.get(id)];
    const [left, right] = [
      mine === undefined ? 'not there' : statusText(mine),
      theirs === undefined ? 'not there' : statusText(theirs),
    ];
    const isOther = mine !== undefined && theirs !== undefined && keptText(mine.result) !== keptText(theirs.result);
    return left === right && !isOther ? [] : [{ id, left, right, note: left === right ? 'another result' : '' }];
  });
  return (
    <>
      <p>
        {rows.length === 0
          ? 'All steps ended alike, with the same results.'
          : `${rows.length} of ${ids.length} steps differ.`}
      </p>
      {rows.length > 0 && (
        <table class="steps compared">
          <thead>
            <tr>
              <th scope="col">step</th>
              <th scope="col">{here.id}</th>
              <th scope="col">{there.id}</th>
              <th scope="col">&nbsp;</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 300).map(({ id, left, right, note }) => (
              <tr key={id}>
                <th scope="row">{here.steps.has(id) ? <StepLink id={id} /> : id}</th>
                <td>{left}</td>
                <td>{right}</td>
                <td class="dim">{note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Spent here={here} there={there} />
    </>
  );
}

function Spent({ here, there }: { readonly here: RunState; readonly there: RunState }) {
  const [mine, theirs] = [here, there].map(({ ledger }) => ledger.accounts.get(RUN_ACCOUNT)?.spent ?? {});
  return (
    <table class="steps compared">
      <tbody>
        {limitable.map((resource) => {
          const [left, right] = [quantity(mine ?? {}, resource), quantity(theirs ?? {}, resource)];
          if (left === 0 && right === 0) return null;
          return (
            <tr key={resource}>
              <th scope="row">{resourceName(resource)}</th>
              <td>{limitText(resource, left)}</td>
              <td>{limitText(resource, right)}</td>
              <td class="dim">
                {left === right ? 'alike' : `${left > right ? '+' : '−'}${limitText(resource, Math.abs(left - right))}`}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
