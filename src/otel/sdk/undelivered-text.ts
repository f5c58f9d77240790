// Says in one line what could not be sent, and why.
import { counted } from '../../base/counted.ts';
import type { Undelivered } from './wire.ts';

export function undeliveredText({ traces, metrics, logs }: Undelivered): string | undefined {
  const parts = [
    traces === undefined ? undefined : { what: counted(traces.lost ?? 0, 'span'), why: traces.why },
    metrics === undefined ? undefined : { what: 'the metrics', why: metrics.why },
    logs === undefined ? undefined : { what: counted(logs.lost ?? 0, 'log record'), why: logs.why },
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const reasons = [...new Set(parts.map(({ why }) => why))];
  return reasons
    .map((why) => {
      const what = parts.filter((part) => part.why === why).map((part) => part.what);
      return `${listed(what)} could not be sent: ${why}`;
    })
    .join('; ');
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
