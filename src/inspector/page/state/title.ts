// The title of the page: the name of the run and its state.
import { effect } from '@preact/signals';
import { summary } from './run.ts';

export function keepTitle(): void {
  effect(() => {
    const run = summary.value;
    document.title = run === undefined ? 'Reconverge' : `${run.template}: ${run.status} · Reconverge`;
  });
}
