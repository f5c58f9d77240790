// A comparison of two runs, in the lines of `reconverge diff`.
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Lines } from '../parts/lines.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { type Moment, runs } from '../state/run.ts';
import { comparison } from '../state/server.ts';

export function RunComparison({ moment }: { readonly moment: Moment }) {
  const id = useId();
  const other = useSignal('');
  const { run, version } = moment;
  return (
    <>
      <h3>
        <label for={id}>compared with another run</label>
      </h3>
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
