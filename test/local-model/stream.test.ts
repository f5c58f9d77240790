// Streams and cassettes with a small real model.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { project } from '../cli/reconverge.ts';
import { expectOrderlyEnd, runLocally } from './run-locally.ts';
import { tapped, textIn, tokensOf } from './tapped.ts';

const steps = [
  { name: 'greet', agent: 'default', description: 'Say hello to Ada.', output: '{greeting}', max_clarifications: 0 },
];

describe('a streamed answer of the local model', () => {
  it('arrives in pieces that make up the answer, with the usage at its end', async () => {
    await using model = await tapped();
    const pieces: string[] = [];
    const run = await runLocally(
      model,
      { steps },
      { profile: { stream: true, max_output_tokens: 60 }, onDelta: ({ text }) => pieces.push(text) },
    );
    const [first] = model.exchanges;
    expect(first?.request).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(first?.response.length).toBeGreaterThan(2);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe(model.exchanges.map(textIn).join(''));
    expectOrderlyEnd(run, tokensOf(model.exchanges));
  });
});

describe('a cassette of the local model', () => {
  it('replays the run without the server, to the same end', async () => {
    const record = join(project(), 'tape.json');
    await using model = await tapped();
    const options = { profile: { max_output_tokens: 60 } };
    const first = await runLocally(model, { steps }, { ...options, record });
    const asked = model.exchanges.length;
    expect(JSON.parse(readFileSync(record, 'utf8'))).toMatchObject({ cassette: 1 });
    const again = await runLocally(model, { steps }, { ...options, replay: record });
    expect(model.exchanges).toHaveLength(asked);
    const { status, output, spent } = first.report;
    expect(again.report).toMatchObject({ status, output, spent });
  });
});
