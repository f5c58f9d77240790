// The phases of the selected run at the selected moment.
import { computed } from '@preact/signals';
import { type PhaseTree, phaseTree } from '../../../view/phases/phase-tree.ts';
import { shown } from './run.ts';

export const phases = computed<PhaseTree | undefined>(() => {
  const moment = shown.value;
  return moment && phaseTree(moment.state);
});
