// The shape of an answer in JSON that a command's help promises.
import { expect } from 'vitest';
import { commands } from '../../src/cli/commands.ts';

/** The keys that a command's help promises; those with a question mark may be absent. */
export async function expectShape(name: string, answer: object): Promise<void> {
  const entry = commands.find((command) => command.name === name);
  const { json } = (await entry?.load())?.command ?? { json: {} };
  const known = Object.keys(json).map((key) => key.replace('?', ''));
  const needed = Object.keys(json).filter((key) => !key.endsWith('?'));
  expect(Object.keys(answer).filter((key) => !known.includes(key))).toEqual([]);
  expect(needed.filter((key) => !(key in answer))).toEqual([]);
}
