// The schemas of JSON answers: one for each command, and strict enough to refuse undescribed answers.
import { describe, expect, it } from 'vitest';
import { answers } from '../../src/cli/answers/answers.schema.ts';
import { commands } from '../../src/cli/commands.ts';
import { expectAnswer, expectAnswers } from './answer-schema.ts';

describe('the JSON answers', () => {
  it('have a schema for every command that takes --json, and for no other', async () => {
    const taking: string[] = [];
    for (const { name, load } of commands)
      if ((await load()).command.flags.some((flag) => flag.name === '--json')) taking.push(name);
    expect(Object.keys(answers).sort()).toEqual(taking.sort());
  });

  it('are refused by their schema if a key is missing or unknown', () => {
    const answer = { run: 'a', order: 'pause', driven: true, status: 'paused' };
    expectAnswer('pause', answer);
    expect(() => expectAnswer('pause', { ...answer, order: 'wait' })).toThrow();
    expect(() => expectAnswer('pause', { ...answer, more: 1 })).toThrow();
    const { status: _, ...rest } = answer;
    expect(() => expectAnswer('pause', rest)).toThrow();
  });

  it('are validated document by document in the output of a call', () => {
    const event = { version: 1, at: 0, cause: 0, event: { type: 'run.paused' } };
    const lines = [event, { issues: [] }].map((each) => JSON.stringify(each)).join('\n');
    expectAnswers(['run', 'plan.yaml', '--json'], lines);
    expect(() => expectAnswers(['run', 'plan.yaml', '--json'], `${lines}\n{}`)).toThrow();
    expectAnswers(['run', 'plan.yaml'], 'not JSON');
  });
});
