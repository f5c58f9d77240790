// The steps as a tree: the template's steps in order, each with the steps it added below.
import { durationText } from '../../../base/quantity.ts';
import { type ShownStatus, shownStatusOf } from '../../../view/phases/shown-status.ts';
import { runTree, type TreeStep } from '../../../view/run-tree.ts';
import { GraftMark } from '../parts/graft-mark.tsx';
import { Status } from '../parts/status.tsx';
import { history } from '../state/budget.ts';
import { go, place } from '../state/place.ts';
import { shown } from '../state/run.ts';
import { found } from '../state/search.ts';

/** The most rows of a long list that are drawn; the search finds the others. */
const MOST = 2_000;

export function StepsView() {
  const moment = shown.value;
  if (moment === undefined || history.value === undefined) return null;
  const tree = runTree(moment.state, history.value, moment.state.at);
  const hits = found.value && new Set(found.value.steps);
  const rows = flat(tree, 0).filter(({ step }) => hits === undefined || hits.has(step.id));
  return (
    <table class="steps">
      <thead>
        <tr>
          <th scope="col">step</th>
          <th scope="col">state</th>
          <th scope="col">does</th>
          <th scope="col" class="number">
            attempts
          </th>
          <th scope="col" class="number">
            time
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, MOST).map(({ step, depth }) => (
          <Row key={step.id} step={step} depth={depth} shown={shownStatusOf(moment.state, step)} />
        ))}
        {rows.length > MOST && (
          <tr>
            <td colSpan={5} class="dim">
              and {rows.length - MOST} more: search for them
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

interface TreeRow {
  readonly step: TreeStep;
  readonly depth: number;
}

function flat(steps: readonly TreeStep[], depth: number): TreeRow[] {
  return steps.flatMap((step) => [{ step, depth }, ...flat(step.steps, depth + 1), ...flat(step.repairs, depth)]);
}

function Row({ step, depth, shown: status }: TreeRow & { readonly shown: ShownStatus }) {
  const { id, name, type, capability, agent, asks, text, attempts, duration, failure, converged } = step;
  const isHere = place.value.step === id;
  return (
    <tr class={isHere ? 'here' : undefined}>
      <th scope="row" style={{ '--depth': depth }}>
        {depth > 0 && <GraftMark />}{' '}
        <button type="button" class="link" title={id} onClick={() => go({ step: id, gate: undefined })}>
          {name}
        </button>
      </th>
      <td>
        <Status status={status} text={text} />
      </td>
      <td class="dim does">
        {failure === undefined
          ? asks === undefined
            ? (agent ?? capability ?? type)
            : `asks ${asks}`
          : `${failure.code}: ${failure.message}`}
        {converged !== undefined && ` · ${converged.succeeded} of ${converged.expected} branches`}
      </td>
      <td class="number attempts-count">{attempts === 0 ? '' : attempts}</td>
      <td class="number">{duration === undefined ? '' : durationText(duration)}</td>
    </tr>
  );
}
