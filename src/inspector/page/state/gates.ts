// The open gates of the run, and what an opened gate shows first.
import { computed, signal } from '@preact/signals';
import { openGatesOf } from '../../../view/open-gates.ts';
import { latest } from './run.ts';

/** The gate was opened to reject it, so its notes take the focus. */
export const focusNotes = signal(false);

export const openGates = computed(() => (latest.value === undefined ? [] : openGatesOf(latest.value.state)));
