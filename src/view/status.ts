// How the state of a step is shown: a sign, a word and a tone, so that neither colour nor shape alone carries it.
import type { Step, StepStatus } from '../engine/state.ts';
import type { Tone } from './line.ts';

export interface Shown {
  readonly sign: string;
  readonly tone: Tone;
}

const shown: Readonly<Record<StepStatus, Shown>> = {
  waiting: { sign: '·', tone: 'dim' },
  ready: { sign: '○', tone: 'dim' },
  running: { sign: '●', tone: 'busy' },
  retrying: { sign: '↻', tone: 'warn' },
  held: { sign: '?', tone: 'warn' },
  completed: { sign: '✓', tone: 'good' },
  resolved: { sign: '✓', tone: 'warn' },
  failed: { sign: '✗', tone: 'bad' },
  skipped: { sign: '–', tone: 'warn' },
  cancelled: { sign: '■', tone: 'warn' },
  superseded: { sign: '⊘', tone: 'dim' },
};

export function shownAs(status: StepStatus): Shown {
  return shown[status];
}

/** `completed`, `skipped (budget)` */
export function statusText({ status, skipped }: Pick<Step, 'status' | 'skipped'>): string {
  return skipped === undefined ? status : `${status} (${skipped})`;
}

/** `sniff_orders` of `plan_recon.1/sniff_orders` */
export function localName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
