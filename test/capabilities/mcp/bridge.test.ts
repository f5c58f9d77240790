// What becomes of a tool's answer.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { bridge } from '../../../src/capabilities/mcp/bridge.ts';

const text = (said: string) => ({ type: 'text', text: said });
const answer = (...content: Json[]) => bridge('hub.tool', { content });

describe('the answer of a tool', () => {
  it('is its structured content, where there is some', () => {
    const structured = { content: [text('three')], structuredContent: { count: 3 } };
    expect(bridge('hub.tool', structured)).toEqual({ count: 3 });
  });

  it('is the JSON in a text, and the text itself where it is none', () => {
    expect(answer(text('{"count": 3}'))).toEqual({ count: 3 });
    expect(answer(text(' [1, 2]\n'))).toEqual([1, 2]);
    expect(answer(text('[draft] three'))).toBe('[draft] three');
    expect(answer(text('3'))).toBe('3');
  });

  it('is a list of what several texts hold, and nothing of none', () => {
    expect(answer(text('{"a": 1}'), text('plain'))).toEqual([{ a: 1 }, 'plain']);
    expect(answer()).toBeNull();
    expect(bridge('hub.tool', {})).toBeNull();
  });

  it('is the list of its blocks when they are not all text', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AA==', annotations: { priority: 1 }, _meta: {} };
    expect(answer(text('see'), image)).toEqual([text('see'), { type: 'image', mimeType: 'image/png', data: 'AA==' }]);
  });

  it('fails where it says so, in its own words', () => {
    expect(() => bridge('hub.tool', { isError: true, content: [text('no such'), text('issue')] })).toThrow(
      'hub.tool failed: no such\nissue',
    );
    expect(() => bridge('hub.tool', { isError: true })).toThrow('hub.tool failed: it did not say why');
    expect(() => bridge('hub.tool', { content: 'text' })).toThrow('is not what the protocol says');
    expect(() => bridge('hub.tool', null)).toThrow('is not what the protocol says');
  });

  it('keeps the code and the words of an error that is structured', () => {
    const failing = (structuredContent: Json, ...content: Json[]) =>
      expect(() => bridge('hub.tool', { isError: true, content, structuredContent }));
    failing({ code: 'QUOTA', message: 'used up' }).toThrow('hub.tool failed (QUOTA): used up');
    failing({ error: { code: 429, message: 'used up' } }).toThrow('hub.tool failed (429): used up');
    failing({ code: 'QUOTA' }, text('QUOTA: used up')).toThrow('hub.tool failed: QUOTA: used up');
    failing({ left: 0 }).toThrow('hub.tool failed: {"left":0}');
  });

  it('is no result where the tool asks for input, or begins a task in place of an answer', () => {
    const asked = { resultType: 'input_required', inputRequests: {} };
    expect(() => bridge('hub.tool', asked)).toThrow(expect.objectContaining({ code: 'MCP_INPUT_REQUESTED' }));
    const task = { task: { taskId: 't1', status: 'working' } };
    expect(() => bridge('hub.tool', task)).toThrow(expect.objectContaining({ fate: 'unknown' }));
  });
});
