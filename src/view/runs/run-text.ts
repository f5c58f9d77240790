// Short texts of a run in a list: its status, the failures, the question, and its age.
import { counted } from '../../base/counted.ts';
import type { Duration, Instant } from '../../base/quantity.ts';
import type { Tone } from '../line.ts';
import type { RunSummary } from './run-summary.ts';

/** `partial` for a partial run. */
export function statusWord({ status, partial }: RunSummary): string {
  return status === 'completed' && partial ? 'partial' : status;
}

export function statusTone({ status, partial }: RunSummary): Tone {
  if (status === 'completed') return partial ? 'warn' : 'good';
  if (status === 'failed') return 'bad';
  return status === 'running' ? 'busy' : 'warn';
}

/** The reason for the end of a failed run, or the question that an open run waits with. */
export function reasonText({ question, gates, failure }: RunSummary): string | undefined {
  if (question !== undefined) {
    const more = gates > 1 ? ` (and ${counted(gates - 1, 'more question')})` : '';
    return `${question.kind} of ${question.step}: ${question.prompt.replaceAll(/\s+/g, ' ')}${more}`;
  }
  return failure === undefined ? undefined : `${failure.code}: ${failure.message.replaceAll(/\s+/g, ' ')}`;
}

const MINUTE: Duration = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `just now`, `3 min ago`, `1 h 40 min ago`, `5 days ago`, `2026-03-01` */
export function agoText(at: Instant, now: Instant): string {
  const passed = now - at;
  if (passed < MINUTE) return 'just now';
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) {
    const minutes = Math.floor((passed % HOUR) / MINUTE);
    return `${Math.floor(passed / HOUR)} h${minutes === 0 ? '' : ` ${minutes} min`} ago`;
  }
  if (passed < 31 * DAY) return `${counted(Math.floor(passed / DAY), 'day')} ago`;
  return new Date(at).toISOString().slice(0, 10);
}
