// Test cases for the replies of every model: text, tool calls, refusals, streams and concurrent requests.
import assert from 'node:assert/strict';
import type { Message } from '../model/request.ts';
import { ask, asking, estimated, type ModelTest, replyOf, search, USED, verdict } from './model-samples.ts';

export function replyCases(test: ModelTest): void {
  test(
    'a reply has the text of the model, its finish reason and its usage',
    [{ reply: { text: 'Good day.', usage: USED } }],
    async (model) => {
      const { text, finish, usage, toolCalls } = replyOf(await ask(model, asking('greet')));
      assert.deepEqual([text, finish, usage, toolCalls], ['Good day.', 'stop', USED, undefined]);
    },
  );

  test('JSON that fits a schema is returned as text', [{ reply: { json: { good: true } } }], async (model) => {
    const { text } = replyOf(await ask(model, asking('judge', { answer: verdict })));
    assert.deepEqual(JSON.parse(text), { good: true });
  });

  test('broken JSON is returned unchanged', [{ reply: { text: '{"good": tr' } }], async (model) => {
    assert.equal(replyOf(await ask(model, asking('judge', { answer: verdict }))).text, '{"good": tr');
  });

  test(
    'tool calls are returned with their arguments, and broken arguments stay text',
    [
      {
        reply: {
          toolCalls: [
            { id: 'one', name: 'web_search', arguments: { query: 'grüß 🌍' } },
            { id: 'two', name: 'web_search', arguments: '{"query": ' },
          ],
        },
      },
    ],
    async (model) => {
      const { finish, text, toolCalls } = replyOf(await ask(model, asking('find', { tools: [search] })));
      assert.deepEqual([finish, text], ['tool_calls', '']);
      assert.deepEqual(toolCalls, [
        { id: 'one', name: 'web_search', arguments: { query: 'grüß 🌍' } },
        { id: 'two', name: 'web_search', arguments: '{"query": ' },
      ]);
    },
  );
}

export function conversationCases(test: ModelTest): void {
  test(
    'a conversation continues after tool calls',
    [
      {
        when: { turn: 1, tool: 'web_search' },
        reply: { toolCalls: [{ name: 'web_search', arguments: { query: 'x' } }] },
      },
      { when: { turn: 2, last: 'nothing found' }, reply: { text: 'There is nothing.' } },
    ],
    async (model) => {
      const first = asking('find', { tools: [search] });
      const { toolCalls = [] } = replyOf(await ask(model, first));
      const [call] = toolCalls;
      assert.ok(call !== undefined && call.id !== '');
      const messages: readonly Message[] = [
        ...first.messages,
        { role: 'assistant', content: '', toolCalls },
        { role: 'tool', callId: call.id, content: 'nothing found' },
      ];
      assert.equal(replyOf(await ask(model, { ...first, messages })).text, 'There is nothing.');
    },
  );

  test(
    'an answer that is cut off at the token limit is a reply without tool calls',
    [
      { reply: { text: 'Once upon', finish: 'length' } },
      { reply: { toolCalls: [{ name: 'web_search', arguments: '{"que' }], finish: 'length' } },
    ],
    async (model) => {
      const cut = replyOf(await ask(model, asking('tell')));
      assert.deepEqual([cut.text, cut.finish], ['Once upon', 'length']);
      const called = replyOf(await ask(model, asking('find', { tools: [search] })));
      assert.deepEqual([called.finish, called.toolCalls], ['length', undefined]);
    },
  );

  test(
    'refusals and filtered answers have their own finish reasons',
    [{ reply: { refusal: 'I would rather not.' } }, { reply: { text: '', finish: 'filter' } }],
    async (model) => {
      const refused = replyOf(await ask(model, asking('do')));
      assert.deepEqual([refused.finish, refused.text], ['refusal', 'I would rather not.']);
      assert.equal(replyOf(await ask(model, asking('do'))).finish, 'filter');
    },
  );

  test(
    'missing usage is estimated, and marked as an estimate',
    [{ reply: { text: 'Four words are here.', usage: 'untold' } }],
    async (model) => {
      estimated(replyOf(await ask(model, asking('count'))).usage);
    },
  );
}

export function pieceCases(test: ModelTest): void {
  test(
    'a listener gets the text in pieces, and the reply has the whole text',
    [{ reply: { text: ' Two lines,\nand 🌍 blanks  ', usage: USED } }],
    async (model) => {
      const pieces: string[] = [];
      const { text, finish, usage } = replyOf(
        await ask(model, asking('tell'), { onDelta: (piece) => pieces.push(piece) }),
      );
      assert.deepEqual([text, finish, usage], [' Two lines,\nand 🌍 blanks  ', 'stop', USED]);
      assert.equal(pieces.join(''), text);
      assert.ok(pieces.length > 1);
    },
  );

  test(
    'tool calls are assembled from their pieces',
    [
      {
        reply: {
          text: 'I will look.',
          toolCalls: [
            { id: 'one', name: 'web_search', arguments: { query: 'first' } },
            { id: 'two', name: 'web_search', arguments: { query: 'second' } },
          ],
        },
      },
    ],
    async (model) => {
      const pieces: string[] = [];
      const { toolCalls, finish } = replyOf(
        await ask(model, asking('find', { tools: [search] }), { onDelta: (piece) => pieces.push(piece) }),
      );
      assert.equal(finish, 'tool_calls');
      assert.deepEqual(
        toolCalls?.map((call) => [call.id, call.arguments]),
        [
          ['one', { query: 'first' }],
          ['two', { query: 'second' }],
        ],
      );
      assert.equal(pieces.join(''), 'I will look.');
    },
  );

  test(
    'a stream can be refused or cut off, and its missing usage is estimated',
    [
      { reply: { refusal: 'I would rather not.' } },
      { reply: { text: 'Once upon', finish: 'length', usage: 'untold' } },
    ],
    async (model) => {
      const refused = replyOf(await ask(model, asking('do'), { onDelta: () => {} }));
      assert.deepEqual([refused.finish, refused.text], ['refusal', 'I would rather not.']);
      const cut = replyOf(await ask(model, asking('tell'), { onDelta: () => {} }));
      assert.deepEqual([cut.finish, cut.text], ['length', 'Once upon']);
      estimated(cut.usage);
    },
  );
}

export function severalAskCases(test: ModelTest): void {
  test(
    'each of several concurrent requests gets its own answer',
    ['one', 'two', 'three'].map((word) => ({ when: { last: word }, reply: { text: `it is ${word}` } })),
    async (model) => {
      const asked = await Promise.all(['three', 'one', 'two'].map((word) => ask(model, asking(word))));
      assert.deepEqual(
        asked.map((each) => replyOf(each).text),
        ['it is three', 'it is one', 'it is two'],
      );
    },
  );

  test(
    'equal requests may get different answers',
    [
      { reply: { text: 'yes' }, times: 2 },
      { reply: { text: 'no' }, times: 'always' },
    ],
    async (model) => {
      const texts: string[] = [];
      for (let time = 0; time < 4; time += 1) texts.push(replyOf(await ask(model, asking('Is it?'))).text);
      assert.deepEqual(texts, ['yes', 'yes', 'no', 'no']);
    },
  );
}
