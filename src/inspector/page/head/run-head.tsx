// The head of a run: one sentence about its state, its numbers, its failures as links, its input and output, its meters.

import { metersOf } from '../../../view/head/meters.ts';
import { BudgetBar } from '../parts/budget-bar.tsx';
import { asTyped } from '../state/as-typed.ts';
import { budget } from '../state/budget.ts';
import { announcement, head } from '../state/head.ts';
import { FailureLinks } from './failure-links.tsx';
import { HeadActions } from './head-actions.tsx';
import { RunValues } from './run-values.tsx';

export function RunHead() {
  const now = head.value;
  if (now === undefined) return null;
  const { headline, figures, failures, summary, moment } = now;
  const { description } = moment.state.template;
  return (
    <section class="run-head" aria-label="State of the run" data-status={summary.status} data-partial={summary.partial}>
      <h1 title={headline.sentence}>
        <span class={`sign fill-${headline.status}`} aria-hidden="true">
          {headline.sign}
        </span>
        {headline.sentence}
      </h1>
      <p class="figures-line">
        {figures}
        {headline.hint !== undefined && <span class="dim"> To go on, {asTyped(headline.hint)}.</span>}
      </p>
      <HeadActions head={now} />
      <div class="head-links">
        {failures.length > 0 ? (
          <FailureLinks failures={failures} />
        ) : (
          <span class="purpose dim" title={description}>
            {description}
          </span>
        )}
        <RunValues moment={moment} summary={summary} />
      </div>
      <div class="bars">
        {metersOf(budget.value?.run.rows ?? []).map((row) => (
          <BudgetBar key={row.resource} row={row} />
        ))}
      </div>
      <p class="unseen" aria-live="polite">
        {announcement.value}
      </p>
    </section>
  );
}
