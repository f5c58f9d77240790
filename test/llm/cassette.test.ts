// Cassettes replay recorded answers in order, and explain how an unknown request differs.
import { describe, expect, it } from 'vitest';
import { type Exchange, isMiss, playerOf } from '../../src/llm/cassette.ts';
import { cassetteModel, recordedModel } from '../../src/llm/cassette-model.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import type { ModelRequest } from '../../src/model/request.ts';

const asking = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content },
  ],
  ...more,
});

async function recorded(asks: readonly ModelRequest[], script: Parameters<typeof scriptedModel>[0]) {
  const exchanges: Exchange[] = [];
  const model = recordedModel(scriptedModel(script), (exchange) => exchanges.push(exchange));
  const context = { signal: new AbortController().signal };
  const answers = [];
  for (const ask of asks) answers.push(await model.ask(ask, context));
  const player = playerOf({ cassette: 1, template: 't', exchanges: JSON.parse(JSON.stringify(exchanges)) });
  return { answers, replayed: cassetteModel(player), context, player };
}

describe('a cassette', () => {
  it('replays equal requests as often as they were recorded, including failures', async () => {
    const asks = [asking('one'), asking('one'), asking('two')];
    const { answers, replayed, context } = await recorded(asks, [
      { reply: { fail: { status: 500 } } },
      { reply: { text: 'first' } },
      { reply: { json: { n: 2 } } },
    ]);
    for (const [at, ask] of asks.entries()) expect(await replayed.ask(ask, context)).toEqual(answers[at]);
    expect(await replayed.ask(asking('one'), context)).toMatchObject({
      ok: false,
      error: {
        failure: { code: 'CASSETTE_MISS', retry: 'never', message: expect.stringContaining('recorded 2 times') },
      },
    });
  });

  it('ignores the token limit of a request', async () => {
    const { replayed, context } = await recorded([asking('one', { maxOutputTokens: 500 })], [{ reply: { text: 'x' } }]);
    expect(await replayed.ask(asking('one', { maxOutputTokens: 90 }), context)).toMatchObject({ ok: true });
  });

  it('ignores the narrow schema of an answer, which earlier versions did not have', async () => {
    const schema = { type: 'object' };
    const old = asking('one', { answer: { name: 'fragment', schema } });
    const { replayed, context } = await recorded([old], [{ reply: { text: '{}' } }]);
    const now = asking('one', { answer: { name: 'fragment', schema, narrow: { type: 'object', maxProperties: 0 } } });
    expect(await replayed.ask(now, context)).toMatchObject({ ok: true });
  });

  it('answers recorded requests of earlier versions, which repeated reasoning and worded corrections differently', async () => {
    const repeating = (answer: string, correction: string): ModelRequest => ({
      model: 'm',
      messages: [
        { role: 'user', content: 'Count.' },
        { role: 'assistant', content: answer },
        { role: 'user', content: correction },
      ],
    });
    const old = repeating('<think>One, two.</think>two', 'your answer is not one JSON value');
    const { replayed, context } = await recorded([old], [{ reply: { text: '2' } }]);
    const now = repeating('two', 'your answer holds no JSON value: it begins "two"; answer with one JSON value');
    expect(await replayed.ask(now, context)).toMatchObject({ ok: true, value: { text: '2' } });
    expect(await replayed.ask(repeating('three', 'your answer was empty'), context)).toMatchObject({ ok: false });
  });

  it('answers planners as an earlier version recorded them: by their goal, in the order of the recording', async () => {
    const planning = (system: string, goal: string, rest: string): ModelRequest => ({
      model: 'default',
      messages: [
        { role: 'system', content: `You plan the next part of a running workflow. ${system}` },
        { role: 'user', content: `# Goal\n${goal}\n\n${rest}` },
      ],
    });
    const earlier = (goal: string, rest = '') =>
      planning('…', goal, `${rest}# Bounds\n- the phase comes together at end`);
    const now = (goal: string) => planning('A fragment is …', goal, '# Bounds\nAt most 20 steps.');
    const { replayed, context } = await recorded(
      [earlier('a'), earlier('b'), earlier('a', '# Your last fragment\n\n'), now('c')],
      [{ reply: { text: 'a1' } }, { reply: { text: 'b1' } }, { reply: { text: 'a2' } }, { reply: { text: 'c1' } }],
    );
    for (const [goal, text] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
      ['c', 'c1'],
    ] as const) {
      expect(await replayed.ask(now(goal), context)).toMatchObject({ ok: true, value: { text } });
    }
    expect(await replayed.ask(now('a'), context)).toMatchObject({ ok: false });
    expect(await replayed.ask(planning('Changed.', 'c', ''), context)).toMatchObject({ ok: false });
  });

  it('names the first part that differs from the nearest recording', async () => {
    const { replayed, context } = await recorded(
      [asking('how many files?'), asking('something else entirely')],
      [{ reply: { text: '2' } }, { reply: { text: '3' } }],
    );
    const answer = await replayed.ask(asking('how many folders?'), context);
    expect(answer).toMatchObject({
      error: {
        failure: { message: expect.stringContaining('messages.1.content at character 11: asked "how many folders?"') },
      },
    });
  });

  it('names the place of an additional message or a different tool', () => {
    const exchange: Exchange = { kind: 'capability', name: 'f', request: { a: [1, 2] }, outcome: { value: 1 } };
    const player = playerOf({ cassette: 1, template: 't', exchanges: [exchange] });
    const more = player.play({ kind: 'capability', name: 'f', request: { a: [1, 2, 3] } });
    expect(isMiss(more) && more.differs).toBe('a.2: asked, and not recorded 3');
    expect(player.play({ kind: 'capability', name: 'g', request: {} })).toEqual({});
  });
});
