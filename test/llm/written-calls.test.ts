// Models write tool calls into their text, and servers without a parser for their format pass them on as answers.
import { describe, expect, it } from 'vitest';
import { writtenCalls } from '../../src/llm/written-calls.ts';
import { ask, replyOf, served } from './served.ts';

const tool = (name: string) => ({ name, description: name, input: { type: 'object' } });
const tools = [tool('files_list'), tool('files_read')];
const list = { id: 'call_1', name: 'files_list', arguments: { folder: 'data' } };

describe('tool calls in the text of an answer', () => {
  it.each([
    ['Hermes and Qwen', '<tool_call>\n{"name": "files_list", "arguments": {"folder": "data"}}\n</tool_call>'],
    ['Llama 3', '<|python_tag|>{"name": "files_list", "parameters": {"folder": "data"}}'],
    ['Llama 3.1', '<function=files_list>{"folder": "data"}</function>'],
    ['Mistral 7B', '[TOOL_CALLS] [{"name": "files_list", "arguments": {"folder": "data"}}]'],
    ['Mistral Small', '[TOOL_CALLS]files_list[ARGS]{"folder": "data"}'],
    [
      'the form of OpenAI',
      '{"type": "function", "function": {"name": "files.list", "arguments": "{\\"folder\\":\\"data\\"}"}}',
    ],
    ['a fence', 'I look first.\n```json\n{"name": "functions.files_list", "arguments": {"folder": "data"}}\n```'],
    [
      'reasoning before',
      '<think>{"name": "rm", "arguments": {}}</think>{"name": "files_list", "arguments": {"folder": "data"}}',
    ],
    [
      'a made-up result after',
      '<tool_call>{"name": "files_list", "arguments": {"folder": "data"}}</tool_call><tool_response>{"files": []}</tool_response>',
    ],
  ])('are read in the format of %s', (_, text) => {
    expect(writtenCalls(text, tools, 0)).toEqual([list]);
  });

  it('are read in their order, and numbered after earlier calls', () => {
    const text = ['files_list', 'files_read'].map((name) => `<tool_call>{"name":"${name}","arguments":{}}</tool_call>`);
    expect(writtenCalls(text.join('\n'), tools, 2)).toEqual([
      { id: 'call_3', name: 'files_list', arguments: {} },
      { id: 'call_4', name: 'files_read', arguments: {} },
    ]);
  });

  it.each([
    '{"name": "delete_all", "arguments": {}}',
    '{"name": "files_list", "holds": "two files"}',
    '{"answer": 1} and then {"name": "files_list", "arguments": {}}',
    'files_list lists files.',
  ])('are not read into %j', (text) => {
    expect(writtenCalls(text, tools, 0)).toEqual([]);
  });

  it('become calls of the reply, and stay text where no tool may be called', async () => {
    const text = '<tool_call>{"name": "files_list", "arguments": {"folder": "data"}}</tool_call>';
    await served({ script: [{ reply: { text }, times: 'always' }] }, async (model) => {
      expect(replyOf(await ask(model, { tools }))).toMatchObject({ text: '', finish: 'tool_calls', toolCalls: [list] });
      expect(replyOf(await ask(model))).toMatchObject({ text, finish: 'stop' });
    });
    await served(
      { script: [{ reply: { text }, times: 'always' }] },
      async (model) => {
        expect(replyOf(await ask(model, { tools }))).toMatchObject({ finish: 'tool_calls', toolCalls: [list] });
      },
      { tools: false },
    );
  });
});
