// Converts results of MCP tools.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { resultOfTool } from '../../../src/capabilities/mcp/tool-result.ts';

const text = (said: string) => ({ type: 'text', text: said });
const answer = (...content: Json[]) => resultOfTool('hub.tool', { content });

describe('the result of a tool', () => {
  it('is its structured content, if there is some', () => {
    const structured = { content: [text('three')], structuredContent: { count: 3 } };
    expect(resultOfTool('hub.tool', structured)).toEqual({ count: 3 });
  });

  it('is the JSON in a text, else the text itself', () => {
    expect(answer(text('{"count": 3}'))).toEqual({ count: 3 });
    expect(answer(text(' [1, 2]\n'))).toEqual([1, 2]);
    expect(answer(text('[draft] three'))).toBe('[draft] three');
    expect(answer(text('3'))).toBe('3');
  });

  it('is a list for several texts, and null for none', () => {
    expect(answer(text('{"a": 1}'), text('plain'))).toEqual([{ a: 1 }, 'plain']);
    expect(answer()).toBeNull();
    expect(resultOfTool('hub.tool', {})).toBeNull();
  });

  it('is the list of blocks when they are not all text', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AA==', annotations: { priority: 1 }, _meta: {} };
    expect(answer(text('see'), image)).toEqual([text('see'), { type: 'image', mimeType: 'image/png', data: 'AA==' }]);
  });

  it("fails with the server's message when the tool reports an error", () => {
    expect(() => resultOfTool('hub.tool', { isError: true, content: [text('no such'), text('issue')] })).toThrow(
      'hub.tool failed: no such\nissue',
    );
    expect(() => resultOfTool('hub.tool', { isError: true })).toThrow('hub.tool failed: it did not say why');
    expect(() => resultOfTool('hub.tool', { content: 'text' })).toThrow('breaks the protocol');
    expect(() => resultOfTool('hub.tool', null)).toThrow('breaks the protocol');
  });

  it('keeps the code and the message of a structured error', () => {
    const failing = (structuredContent: Json, ...content: Json[]) =>
      expect(() => resultOfTool('hub.tool', { isError: true, content, structuredContent }));
    failing({ code: 'QUOTA', message: 'used up' }).toThrow('hub.tool failed (QUOTA): used up');
    failing({ error: { code: 429, message: 'used up' } }).toThrow('hub.tool failed (429): used up');
    failing({ code: 'QUOTA' }, text('QUOTA: used up')).toThrow('hub.tool failed: QUOTA: used up');
    failing({ left: 0 }).toThrow('hub.tool failed: {"left":0}');
  });

  it('is a failure when the tool asks for input or starts a task', () => {
    const asked = { resultType: 'input_required', inputRequests: {} };
    expect(() => resultOfTool('hub.tool', asked)).toThrow(expect.objectContaining({ code: 'MCP_INPUT_REQUESTED' }));
    const task = { task: { taskId: 't1', status: 'working' } };
    expect(() => resultOfTool('hub.tool', task)).toThrow(expect.objectContaining({ fate: 'unknown' }));
  });
});
