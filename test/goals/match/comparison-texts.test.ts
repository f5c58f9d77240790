// The choice of capabilities that are compared with goals by embeddings.
import { describe, expect, it } from 'vitest';
import { comparedText, comparedWith } from '../../../src/goals/match/comparison-texts.ts';
import { toolsOf } from './catalogue.ts';

const tools = toolsOf(
  'add_vessel: Adds a vessel',
  'list_boats: Lists boats',
  'move_port: Moves a port',
  'paint_boat: Paints a boat',
);
const names = (goals: readonly string[], most: number): readonly string[] =>
  comparedWith(goals, tools, most).map(({ name }) => name);

describe('the capabilities that goals are compared with', () => {
  it('are all capabilities when one request holds them', () => {
    expect(names(['list the boats'], 4)).toEqual(tools.map(({ name }) => name));
  });

  it('are the nearest by words when one request cannot hold all, in their order', () => {
    expect(names(['show the boats'], 2)).toEqual(['list_boats', 'paint_boat']);
    expect(names(['move the port', 'show the vessel'], 2)).toEqual(['add_vessel', 'move_port']);
  });

  it('are described by the words of their names and their descriptions', () => {
    expect(tools.map(comparedText)[1]).toBe('list boats: Lists boats');
  });
});
