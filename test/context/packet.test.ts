// Packets: the sections of each strategy, within the allowance, and the receipt of every cut.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { assemblePacket, type Packet, type PacketRequest, type StepRecord } from '../../src/context/packet.ts';
import { estimateTokens } from '../../src/context/tokens.ts';
import { record } from './results.ts';
import { within } from './within.ts';

function step(id: string, result?: Json, more: Partial<StepRecord> = {}): StepRecord {
  return { id, name: id, attempt: 1, status: 'completed', ...(result === undefined ? {} : { result }), ...more };
}

function request(steps: readonly StepRecord[], more: Partial<PacketRequest> = {}): PacketRequest {
  return {
    strategy: 'contract',
    maxTokens: 4_000,
    countTokens: estimateTokens,
    problem: { template: 'profile', goal: 'Profile the files', input: { folder: 'data' }, constraints: ['Read once.'] },
    budget: { remaining: { steps: 7 } },
    target: { id: 'finalize' },
    phases: [{ id: 'frame', rationale: 'The authored steps.', steps }],
    ...more,
  };
}

function packetOf(asked: PacketRequest): Packet {
  const packet = assemblePacket(asked);
  if (!packet.ok) throw new Error(packet.error.map(({ message }) => message).join());
  return packet.value;
}

function resultsOf({ body }: Packet): JsonObject {
  return isJsonObject(body.results) ? body.results : {};
}

function issuesOf(asked: PacketRequest) {
  const packet = assemblePacket(asked);
  return packet.ok ? [] : packet.error;
}

const files = Array.from({ length: 60 }, (_, at) => ({ path: `data/table-${at}.csv`, bytes: 40 * at, kind: 'csv' }));
const prose = 'Each sentence says little. '.repeat(400);

const anyRequest: fc.Arbitrary<PacketRequest> = fc
  .array(fc.array(record, { maxLength: 4 }), { maxLength: 3 })
  .map((phases) =>
    request([], {
      phases: phases.map((steps, phase) => ({
        id: `plan_${phase}`,
        steps: steps.map((each, at) => ({ ...each, id: `plan_${phase}.1/${at}` })),
      })),
    }),
  );
const allowance = fc.integer({ min: 150, max: 3_000 });

describe('a packet', () => {
  it('has the problem, the budget, the target, results by full id, failures with their root, phases and an index', () => {
    const failure = { code: 'CSV_BROKEN', message: 'line 3 has too many fields', rootCause: 'ingest' };
    const { body, receipt, tokens } = packetOf(
      request(
        [
          step('plan.1/sniff', { columns: ['a'] }, { capability: 'csv.sniff', schema: {} }),
          step('plan.1/broken', undefined, { status: 'failed', failure }),
        ],
        { feedback: { attempt: 1, issues: [] } },
      ),
    );
    expect(body).toEqual({
      problem: {
        template: 'profile',
        goal: 'Profile the files',
        input: { folder: 'data' },
        constraints: ['Read once.'],
      },
      feedback: { attempt: 1, issues: [] },
      budget: { remaining: { steps: 7 } },
      target: { id: 'finalize' },
      results: { 'plan.1/sniff': { columns: ['a'] } },
      failures: [{ step: 'plan.1/broken', code: 'CSV_BROKEN', message: 'line 3 has too many fields', root: 'ingest' }],
      phases: [{ id: 'frame', rationale: 'The authored steps.', steps: ['plan.1/sniff', 'plan.1/broken'] }],
      index: ['plan.1/sniff#1 completed csv.sniff 17 bytes {columns list(1)}', 'plan.1/broken#1 failed'],
      receipt: [],
    });
    expect(receipt.items).toEqual([
      {
        ref: { step: 'plan.1/sniff', attempt: 1 },
        shown: 'included',
        inferred: false,
        bytes: { before: 17, after: 17 },
        tokens: { before: 7, after: 7 },
      },
    ]);
    expect(tokens).toBe(estimateTokens(JSON.stringify(body)));
  });

  it('has one index line for each older phase', () => {
    const phases = ['near', 'far'].map((id) => ({ id, steps: [step(`${id}.1/a`, 'x'), step(`${id}.1/b`, 'yy')] }));
    const { body } = packetOf(request([], { phases }));
    expect(body.index).toEqual([
      'near.1/a#1 completed 3 bytes string inferred',
      'near.1/b#1 completed 4 bytes string inferred',
      'phase far: 2 steps, 7 bytes',
    ]);
  });
});

describe('strategy summary', () => {
  const listed = [step('list', { files, prose })];
  const summed = (text: string, maxTokens = 700) =>
    packetOf(request(listed, { strategy: 'summary', maxTokens, summary: { text } }));

  it('shows the model’s summary, and results by contract in the remaining room', () => {
    const { body, receipt, tokens } = summed('list has 60 files, a.csv the largest.');
    expect(body.summary).toBe('list has 60 files, a.csv the largest.');
    expect(body.results).toMatchObject({ list: { files: { $count: 60 } } });
    expect(receipt).toMatchObject({ summary: { tokens: expect.any(Number) }, items: [{ shown: 'shrunk' }] });
    expect(tokens).toBeLessThanOrEqual(700);
  });

  it('gives a summary half of the allowance, and cuts a longer one at sentence ends', () => {
    const { body, receipt, tokens } = summed('Another file is there. '.repeat(300));
    expect(body.summary).toMatch(/^Another file is there\..*\[\$cut: \d+ characters\]/);
    expect(present(receipt.summary?.tokens, 'tokens')).toBeLessThanOrEqual(350);
    expect(tokens).toBeLessThanOrEqual(700);
  });

  it('equals strategy contract without a summary, and the receipt says why', () => {
    const plain = packetOf(request(listed, { maxTokens: 700 }));
    const without = packetOf(request(listed, { strategy: 'summary', maxTokens: 700 }));
    const failed = packetOf(request(listed, { strategy: 'summary', maxTokens: 700, summary: { why: 'no luck' } }));
    expect(without).toEqual(plain);
    expect(failed.body).toEqual(plain.body);
    expect(failed.receipt.summary).toEqual({ why: 'no luck' });
  });
});

describe('strategy full', () => {
  it('shows every result verbatim', () => {
    const packet = packetOf(request([step('list', { files })], { strategy: 'full' }));
    expect(resultsOf(packet)).toEqual({ list: { files } });
    expect(packet.receipt.items).toMatchObject([{ shown: 'included' }]);
  });

  it('fails with an issue above the allowance and never cuts', () => {
    expect(issuesOf(request([step('list', { files })], { strategy: 'full', maxTokens: 500 }))).toMatchObject([
      { code: 'CONTEXT_OVER_ALLOWANCE', path: ['context', 'max_tokens'] },
    ]);
  });
});

describe('strategy contract', () => {
  it('shows results below 1 KB verbatim, and larger ones in the remaining room', () => {
    const small = { note: 'x'.repeat(900) };
    const packet = packetOf(request([step('large', { files, prose }), step('small', small)], { maxTokens: 1_000 }));
    expect(resultsOf(packet).small).toEqual(small);
    expect(resultsOf(packet).large).toMatchObject({ files: { $count: 60 }, prose: expect.stringContaining('$cut') });
    expect(packet.receipt.items.map(({ shown }) => shown)).toEqual(['shrunk', 'included']);
    expect(packet.body.receipt).toEqual([{ step: 'large', attempt: 1, shown: 'shrunk', bytes: expect.any(Number) }]);
  });

  it('shows x-keep fields whole above the size tiers, while the allowance permits', () => {
    const many = Array.from({ length: 12 }, (_, at) => files.map((file) => ({ ...file, round: at }))).flat();
    const schema = { properties: { files: { 'x-keep': true } } };
    const asked = (more: Partial<StepRecord>) =>
      request([step('list', { files: many, prose }, more)], { maxTokens: 25_000 });
    expect(resultsOf(packetOf(asked({ schema }))).list).toMatchObject({ files: many });
    expect(resultsOf(packetOf(asked({ keep: ['files'] }))).list).toMatchObject({ files: many });
    expect(resultsOf(packetOf(asked({}))).list).toMatchObject({ files: { $count: 720 } });
  });

  it('never shows elided fields, however small', () => {
    const packet = packetOf(request([step('read', { raw: 'hidden from view' }, { elide: ['raw'] })]));
    expect(packet.body.results).toEqual({ read: { raw: '$elided' } });
    expect(packet.receipt.items).toMatchObject([{ shown: 'shrunk', bytes: { before: 26, after: 17 } }]);
  });

  it('gives the nearest phase more than all older ones together', () => {
    const phases = ['near', 'far', 'farther'].map((id) => ({ id, steps: [step(`${id}.1/a`, { prose })] }));
    const { receipt } = packetOf(request([], { phases, maxTokens: 1_500 }));
    const [near = 0, ...older] = receipt.items.map(({ bytes }) => bytes.after);
    expect(near).toBeGreaterThan(older.reduce((sum, each) => sum + each, 0));
  });

  it('gives the rationale of the nearest phases before it names older ones, and counts the older results', () => {
    const phases = Array.from({ length: 20 }, (_, at) => ({
      id: `plan_${at}`,
      rationale: `Phase ${at} was needed since the one before left entries open.`,
      steps: [step(`plan_${at}.1/a`, { prose }), step(`plan_${at}.1/b`, { at })],
    }));
    const { body } = packetOf(request([], { phases, maxTokens: 1_500 }));
    const shown = Array.isArray(body.phases) ? (body.phases as JsonObject[]) : [];
    expect(shown.slice(0, 3).map(({ rationale }) => rationale)).toEqual(
      phases.slice(0, 3).map(({ rationale }) => rationale),
    );
    expect(shown.at(-1)).toEqual({ $more: 21 - shown.length });
    expect(body.receipt).toMatchObject([
      { step: 'plan_0.1/a', shown: 'shrunk' },
      { older: { 'left out': expect.any(Number) } },
    ]);
  });

  it('holds two hundred steps in a small allowance, and accounts for each in the receipt', () => {
    const steps = Array.from({ length: 200 }, (_, at) => step(`plan.1/s${at}`, at % 2 === 0 ? { files } : { at }));
    const packet = packetOf(request(steps, { maxTokens: 3_000 }));
    expect(packet.tokens).toBeLessThanOrEqual(3_000);
    expect(packet.receipt.items).toHaveLength(200);
    expect(packet.receipt.items.every(({ shown, bytes }) => (shown === 'left out') === (bytes.after === 0))).toBe(true);
    expect(packet.receipt.items.some(({ shown }) => shown === 'outlined')).toBe(true);
  });

  it('is an issue when not even the problem fits', () => {
    const problem = { template: 'profile', input: { prose }, constraints: [] };
    expect(issuesOf(request([], { problem, maxTokens: 200 }))).toMatchObject([{ code: 'CONTEXT_OVER_ALLOWANCE' }]);
  });

  it('never takes more than its allowance', () => {
    fc.assert(
      fc.property(anyRequest, allowance, (asked, maxTokens) => {
        const packet = assemblePacket({ ...asked, maxTokens });
        if (packet.ok) expect(packet.value.tokens).toBeLessThanOrEqual(maxTokens);
        else expect(packet.error).toMatchObject([{ code: 'CONTEXT_OVER_ALLOWANCE' }]);
      }),
    );
  });

  it('shows no less of any result for a larger allowance, however tokens are counted', () => {
    const odd = (text: string) => (text.length % 7) + text.length / 3;
    fc.assert(
      fc.property(anyRequest, allowance, allowance, fc.boolean(), (asked, one, other, oddly) => {
        const countTokens = oddly ? odd : estimateTokens;
        const small = assemblePacket({ ...asked, countTokens, maxTokens: Math.min(one, other) });
        const large = assemblePacket({ ...asked, countTokens, maxTokens: Math.max(one, other) });
        if (!small.ok) return;
        expect(large.ok).toBe(true);
        const more = large.ok ? resultsOf(large.value) : {};
        for (const [id, shown] of Object.entries(resultsOf(small.value))) expect(within(shown, more[id])).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('is the same packet for the same request', () => {
    fc.assert(
      fc.property(anyRequest, allowance, (asked, maxTokens) => {
        const again = { ...asked, phases: JSON.parse(JSON.stringify(asked.phases)) as typeof asked.phases };
        expect(assemblePacket({ ...again, maxTokens })).toEqual(assemblePacket({ ...asked, maxTokens }));
      }),
    );
  });

  it('accounts for each result, and never shows one larger than it was', () => {
    fc.assert(
      fc.property(anyRequest, allowance, (asked, maxTokens) => {
        const packet = assemblePacket({ ...asked, maxTokens });
        if (!packet.ok) return;
        const steps = asked.phases.flatMap((phase) => phase.steps);
        expect(packet.value.receipt.items.map(({ ref }) => ref.step)).toEqual(steps.map(({ id }) => id));
        for (const { shown, bytes } of packet.value.receipt.items) {
          expect(bytes.after).toBeLessThanOrEqual(bytes.before);
          if (shown === 'included') expect(bytes.after).toBe(bytes.before);
        }
      }),
    );
  });
});
