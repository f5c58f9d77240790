// Scripts select the rule that answers a request.
import { describe, expect, it } from 'vitest';
import { piecesOf, playScript, type ScriptCondition, type ScriptedAsk } from '../../src/llm/script.ts';

const said: ScriptedAsk = {
  model: 'small',
  messages: [
    { role: 'system', content: 'You plan.' },
    { role: 'user', content: 'Compare two stocks.' },
    { role: 'assistant', content: 'Which?' },
    { role: 'user', content: 'Any.' },
  ],
  tools: ['look'],
  called: 0,
};

describe('a condition', () => {
  it.each<[ScriptCondition, boolean]>([
    [{}, true],
    [{ contains: 'two stocks' }, true],
    [{ contains: 'three' }, false],
    [{ notContains: 'three' }, true],
    [{ notContains: 'You plan' }, false],
    [{ system: 'You plan' }, true],
    [{ system: 'Compare' }, false],
    [{ last: 'Any' }, true],
    [{ last: 'Compare' }, false],
    [{ turn: 2 }, true],
    [{ turn: 1 }, false],
    [{ model: 'small' }, true],
    [{ model: 'large' }, false],
    [{ tool: 'look' }, true],
    [{ tool: 'jump' }, false],
    [{ contains: 'stocks', turn: 1 }, false],
  ])('%j matches the request: %s', (when, holds) => {
    const reply = playScript([{ when, reply: { text: 'yes' } }]).next(said);
    expect(reply !== undefined).toBe(holds);
  });
});

describe('the pieces of a text', () => {
  it.each(['', ' ', 'one', ' one  two\n\nthree ', '\n', 'grüß 🌍'])('join to the same text: %j', (text) => {
    expect(piecesOf(text).join('')).toBe(text);
  });
});
