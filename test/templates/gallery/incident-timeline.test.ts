// The template incident-timeline finds the planted cause, in the sample and in logs of other formats with other clocks.
import { describe, expect, it } from 'vitest';
import { copyOf, runIn } from './run-template.ts';

interface Judged {
  readonly began: string;
  readonly ended: string;
  readonly cause: {
    readonly service: string;
    readonly text: string;
    readonly kind: string;
    readonly at: string;
    readonly where: string;
  };
  readonly certainty: string;
  readonly clocks: Readonly<Record<string, number>>;
}

describe('the sample', () => {
  it('was caused by a reloaded configuration, though the clock of orders is 95 seconds ahead', async () => {
    const { report, output } = await runIn<Judged>(copyOf('incident-timeline'));
    expect(report).toMatchObject({ status: 'completed', partial: false });
    expect(output.cause).toMatchObject({ service: 'orders', kind: 'change' });
    expect(output.cause.text).toContain('configuration reloaded: pool.max 40 -> 4');
    // The true time is 12:03:40; the log itself says 12:05:15, after the first errors at the edge.
    expect(Math.abs(Date.parse(output.cause.at) - Date.parse('2026-09-14T12:03:40Z'))).toBeLessThan(500);
    expect(output.clocks.edge).toBe(0);
    expect(Math.abs((output.clocks.orders ?? 0) - 95_000)).toBeLessThan(500);
    expect(output.certainty).toBe('likely');
    expect(Date.parse(output.ended)).toBeGreaterThan(Date.parse('2026-09-14T12:16:00Z'));
    expect(Date.parse(output.ended)).toBeLessThan(Date.parse('2026-09-14T12:19:00Z'));
  });
});

interface World {
  /** Minutes from the beginning at which the change happens, and the failures begin. */
  readonly change: number;
  readonly outbreak: number;
  /** Milliseconds by which the clock of the store is ahead. */
  readonly ahead: number;
  readonly says: string;
}

const BEGIN = Date.parse('2025-03-02T22:30:00Z');
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A proxy that writes logfmt, a store that writes syslog without a year, and a queue that writes plain lines. */
function otherLogs({ change, outbreak, ahead, says }: World): Readonly<Record<string, string>> {
  const proxy: string[] = [];
  const store: { readonly time: number; readonly text: string }[] = [];
  const queue: string[] = [];
  for (let second = 0; second < 3_600; second += 4) {
    const time = BEGIN + second * 1_000;
    const id = `tr-${(second * 7_919).toString(16).padStart(8, '0')}`;
    const isBroken = second >= outbreak * 60 && second < 3_000;
    const took = isBroken ? 2_400 : 90 + (second % 50);
    const end = new Date(time + took).toISOString();
    proxy.push(
      `ts=${end} level=${isBroken ? 'error' : 'info'} trace_id=${id} msg="${isBroken ? 'upstream store failed' : 'ok'}" path=/v1/items status=${isBroken ? 500 : 200}`,
    );
    if (second % 8 === 0)
      store.push({
        time: time + 20,
        text: `store[812]: ${isBroken ? 'ERROR' : 'INFO'} query on table items trace_id=${id}${isBroken ? ' lock timeout on table items' : ''}`,
      });
    if (second % 60 === 0)
      queue.push(
        `${new Date(time).toISOString().replace('T', ' ').replace('Z', '')} INFO worker drained ${second % 17} jobs`,
      );
  }
  if (says !== '') store.push({ time: BEGIN + change * 60_000, text: `store[812]: INFO ${says}` });
  store.push({ time: BEGIN + 2 * 60_000, text: 'store[812]: INFO restarted with version 2.9.1' });
  queue.splice(
    12,
    0,
    `${new Date(BEGIN + 12.5 * 60_000).toISOString().replace('T', ' ').replace('Z', '')} WARN worker was scaled to 3 instances`,
  );
  const syslog = store
    .toSorted((a, b) => a.time - b.time)
    .map(({ time, text }) => {
      const at = new Date(time + ahead);
      return `${MONTHS[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2)} ${at.toISOString().slice(11, 19)} db7 ${text}`;
    });
  return {
    'mine/proxy.log': proxy.join('\n'),
    'mine/store.log': syslog.join('\n'),
    'mine/queue.log': queue.join('\n'),
  };
}

describe('logs of other formats', () => {
  it.each([
    { change: 20, outbreak: 21, ahead: 3_600_000, says: 'migration 0042 began: ALTER TABLE items ADD COLUMN weight' },
    { change: 33, outbreak: 33.5, ahead: -412_000, says: 'feature flag items_lock is now on for table items' },
  ])('name "$says" as the cause', async (world) => {
    const { output, report } = await runIn<Judged>(copyOf('incident-timeline', otherLogs(world)), {
      input: { folder: 'mine' },
    });
    expect(report.status).toBe('completed');
    expect(output.cause).toMatchObject({ service: 'store', kind: 'change' });
    expect(output.cause.text).toContain(world.says);
    expect(Math.abs((output.clocks.store ?? 0) - world.ahead)).toBeLessThan(2_000);
    expect(Math.abs(Date.parse(output.began) - (BEGIN + world.outbreak * 60_000))).toBeLessThan(30_000);
  });

  it('lead to a partial result when one of them is no log', async () => {
    const files = {
      ...otherLogs({ change: 20, outbreak: 21, ahead: 5_000, says: 'deployed version 3.0.0' }),
      'mine/queue.log': 'no times\nin here\n'.repeat(20),
    };
    const { output, report } = await runIn<Judged>(copyOf('incident-timeline', files), { input: { folder: 'mine' } });
    expect(report).toMatchObject({ status: 'completed', partial: true });
    expect(output.cause.text).toContain('deployed version 3.0.0');
  });

  it('blame the first trouble, as merely possible, when nothing was changed before', async () => {
    const quiet = otherLogs({ change: 0, outbreak: 30, ahead: 0, says: '' });
    const store = (quiet['mine/store.log'] ?? '')
      .replace(/^.*restarted.*\n/m, '')
      .replace(/^(.*22:59:5\d.*)$/m, '$1\nMar  2 22:59:58 db7 store[812]: WARN disk /var/lib/store is full');
    const { output } = await runIn<Judged>(
      copyOf('incident-timeline', {
        ...quiet,
        'mine/store.log': store,
        'mine/queue.log': (quiet['mine/queue.log'] ?? '').replace(/^.*scaled.*\n/m, ''),
      }),
      { input: { folder: 'mine' } },
    );
    expect(output.cause.text).toContain('disk /var/lib/store is full');
    expect(output.certainty).toMatch(/^possible/);
  });
});

describe('logs without an outbreak', () => {
  it('fail the run with a sentence that says so', async () => {
    const folder = copyOf(
      'incident-timeline',
      otherLogs({ change: 1, outbreak: 100, ahead: 0, says: 'deployed version 1.0.0' }),
    );
    const { report } = await runIn<Judged>(folder, { input: { folder: 'mine' } });
    expect(report.status).toBe('failed');
    expect(JSON.stringify(report)).toContain('no minute of the logs has five errors or more');
  });
});
