// The steps as a tree: the template's steps in order, each with the steps it added below; or those with one status.
import { signal } from '@preact/signals';
import { durationText, type MicroDollars } from '../../../base/quantity.ts';
import { costOf } from '../../../view/history.ts';
import { type ShownStatus, shownStatusOf } from '../../../view/phases/shown-status.ts';
import { statusGlyphs, statusWords } from '../../../view/phases/status-glyphs.ts';
import { runTree } from '../../../view/run-tree.ts';
import { shortMoneyText } from '../../../view/short-money-text.ts';
import { rowsWithStatus, type StatusFilter, statusFilters, type TreeRow, treeRows } from '../../../view/tree-rows.ts';
import { GraftMark } from '../parts/graft-mark.tsx';
import { Status } from '../parts/status.tsx';
import { history } from '../state/budget.ts';
import { go, place } from '../state/place.ts';
import { shown } from '../state/run.ts';
import { found } from '../state/search.ts';

/** The number of rows of a long list that are drawn at once. */
const PART = 1_000;
const drawnParts = signal(1);

export function StepsView() {
  const moment = shown.value;
  const past = history.value;
  if (moment === undefined || past === undefined) return null;
  const { only } = place.value;
  const all = treeRows(runTree(moment.state, past, moment.state.at));
  const hits = found.value && new Set(found.value.steps);
  const searched = hits === undefined ? all : all.filter(({ step }) => hits.has(step.id));
  const rows = rowsWithStatus(searched, moment.state, only);
  const isTree = hits === undefined && only === undefined;
  const most = drawnParts.value * PART;
  const hasCost = searched.some(({ step }) => costOf(past.get(step.id)) > 0);
  return (
    <>
      <Filters all={searched.length} filters={statusFilters(searched, moment.state)} />
      <table class="steps">
        <thead>
          <tr>
            <th scope="col">step</th>
            <th scope="col">state</th>
            <th scope="col">does</th>
            <th scope="col" class="number">
              attempts
            </th>
            {hasCost && (
              <th scope="col" class="number cost">
                cost
              </th>
            )}
            <th scope="col" class="number">
              time
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row) => (
            <Row
              key={row.step.id}
              row={row}
              isTree={isTree}
              shown={shownStatusOf(moment.state, row.step)}
              cost={hasCost ? costOf(past.get(row.step.id)) : undefined}
            />
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={6} class="dim">
                {only === undefined ? 'no step matches the search' : `no step is ${statusWords[only]}`}
              </td>
            </tr>
          )}
          {rows.length > most && (
            <tr>
              <td colSpan={6}>
                <button type="button" class="link" onClick={() => (drawnParts.value += 1)}>
                  {(rows.length - most).toLocaleString('en')} more
                </button>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </>
  );
}

function Filters({ all, filters }: { readonly all: number; readonly filters: readonly StatusFilter[] }) {
  const { only } = place.value;
  const choose = (status: ShownStatus | undefined): void => {
    drawnParts.value = 1;
    go({ only: status });
  };
  return (
    <fieldset class="chips step-filters">
      <legend class="unseen">Steps with one status</legend>
      <button type="button" class="chip" aria-pressed={only === undefined} onClick={() => choose(undefined)}>
        all <span class="number">{all.toLocaleString('en')}</span>
      </button>
      {filters.map(({ status, count }) => (
        <button
          key={status}
          type="button"
          class="chip"
          data-only={status}
          aria-pressed={only === status}
          onClick={() => choose(only === status ? undefined : status)}
        >
          <span aria-hidden="true">{statusGlyphs[status]} </span>
          {statusWords[status]} <span class="number">{count.toLocaleString('en')}</span>
        </button>
      ))}
    </fieldset>
  );
}

interface RowProps {
  readonly row: TreeRow;
  /** False: the rows around it are missing, so it names its phase. */
  readonly isTree: boolean;
  readonly shown: ShownStatus;
  /** Undefined: no step has a cost, and there is no column for it. */
  readonly cost: MicroDollars | undefined;
}

function Row({ row: { step, depth, within }, isTree, shown: status, cost }: RowProps) {
  const { id, name, type, capability, agent, asks, text, attempts, duration, failure, converged } = step;
  const isHere = place.value.step === id;
  return (
    <tr class={isHere ? 'here' : undefined}>
      <th scope="row" style={{ '--depth': isTree ? depth : 0 }}>
        {isTree && depth > 0 && <GraftMark />}{' '}
        {!isTree && within !== undefined && <span class="dim">{within.name} › </span>}
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
      {cost !== undefined && <td class="number cost">{cost === 0 ? '' : shortMoneyText(cost)}</td>}
      <td class="number">{duration === undefined ? '' : durationText(duration)}</td>
    </tr>
  );
}
