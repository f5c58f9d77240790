// The log of a call context: levels, sources, and attributes that are made JSON.
import { describe, expect, it } from 'vitest';
import { type Log, logTo, type WrittenLine } from '../../src/capabilities/log.ts';

function written(write: (log: Log) => void): readonly WrittenLine[] {
  const lines: WrittenLine[] = [];
  write(logTo((line) => lines.push(line)));
  return lines;
}

describe('the log of a call', () => {
  it('writes plain texts as infos, and each level with its attributes', () => {
    expect(
      written((log) => {
        log('begun');
        log('read', { rows: 3 });
        log.debug('d');
        log.info('i', {});
        log.warn('w', { left: [1, 'two', null] });
        log.error('e', new TypeError('no such column'));
        log.from('ffmpeg').warn('frame dropped');
      }),
    ).toEqual([
      { level: 'info', message: 'begun' },
      { level: 'info', message: 'read', data: { rows: 3 } },
      { level: 'debug', message: 'd' },
      { level: 'info', message: 'i' },
      { level: 'warn', message: 'w', data: { left: [1, 'two', null] } },
      { level: 'error', message: 'e', data: expect.objectContaining({ name: 'TypeError', message: 'no such column' }) },
      { level: 'warn', message: 'frame dropped', source: 'ffmpeg' },
    ]);
  });

  it('works when a handler takes it out of its context', () => {
    const { warn } = logTo(({ message }) => expect(message).toBe('alone'));
    warn('alone');
  });

  it('turns attributes that are no JSON into texts, and never throws', () => {
    const itself: Record<string, unknown> = { n: 1n, at: new Date(0), none: undefined, run: () => 1, nan: Number.NaN };
    itself.self = itself;
    itself.found = new Map([['a', new Set([1])]]);
    itself.bytes = new Uint8Array(3);
    const broken = {
      get secret(): string {
        throw new Error('not now');
      },
    };
    expect(
      written((log) => {
        log('odd', itself);
        log('broken', broken);
        log('list', [1, 2]);
        // Modules without types may give anything.
        (log as (message: unknown) => void)({ n: 1 });
        (log as (message: unknown) => void)(undefined);
      }).map(({ message, data }) => [message, data]),
    ).toEqual([
      [
        'odd',
        {
          n: '1',
          at: '1970-01-01T00:00:00.000Z',
          nan: 'NaN',
          self: '(contains itself)',
          found: { a: [1] },
          bytes: '(3 bytes)',
        },
      ],
      ['broken', { unreadable: 'not now' }],
      ['list', { value: [1, 2] }],
      ['{"n":1}', undefined],
      ['undefined', undefined],
    ]);
  });

  it('cuts long messages and large attributes, and says how much is missing', () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ n, text: 'x'.repeat(100) }));
    const [long, large] = written((log) => {
      log('m'.repeat(10_000));
      log('large', { rows, late: 'z'.repeat(5_000) });
    });
    expect(long?.message).toBe(`${'m'.repeat(8_000)}… (cut: 2000 characters)`);
    expect(JSON.stringify(large?.data).length).toBeLessThan(12_000);
    expect(JSON.stringify(large?.data)).toContain('"… 950 more"');
  });
});
