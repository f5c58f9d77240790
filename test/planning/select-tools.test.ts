// The selection of tools and skills for a planner or an agent, with the reason for each.
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../src/contract/declaration.ts';
import { selectTools, type ToolSelectionRequest } from '../../src/planning/select-tools.ts';

const declared = (name: string, needs?: readonly string[]): Declaration => ({
  name,
  description: '',
  effects: ['read'],
  tags: [],
  cost: {},
  ...(needs === undefined ? {} : { needs }),
});

const declarations = [
  declared('csv.sniff'),
  declared('csv.read', ['csv.sniff', 'files.list']),
  declared('files.list'),
  declared('sql.query', ['sql.open']),
];

function linked(request: Partial<ToolSelectionRequest>) {
  const { tools, skills } = selectTools({ wants: [], declarations, skills: [], contextTags: [], ...request });
  return {
    tools: tools.map(({ declaration, why }) => `${declaration.name}: ${why}`),
    skills: skills.map(({ skill, why }) => `${skill.name}: ${why}`),
  };
}

describe('selected tools', () => {
  it('are the named tools and the tools that they need, each once', () => {
    expect(linked({ wants: ['csv.read', 'csv.sniff'] }).tools).toEqual([
      'csv.read: named',
      'csv.sniff: named',
      'files.list: needed by csv.read',
    ]);
  });

  it('leave out a needed tool that is not granted', () => {
    expect(linked({ wants: ['sql.*'] }).tools).toEqual(['sql.query: of sql.*']);
    expect(linked({}).tools).toEqual([]);
  });

  it('do not depend on the order of the declarations', () => {
    const forwards = linked({ wants: ['*'] });
    expect(linked({ wants: ['*'], declarations: declarations.toReversed() })).toEqual(forwards);
  });
});

describe('selected skills', () => {
  const skill = (name: string, appliesTo: string[] = [], contextTags: string[] = []) => ({
    name,
    text: name,
    appliesTo,
    contextTags,
  });
  const skills = [skill('always'), skill('csv', ['csv.*']), skill('money', [], ['finance']), skill('sql', ['sql.*'])];

  it('apply to everyone, to a selected tool, or to a context tag of the run', () => {
    expect(linked({ wants: ['csv.read'], skills, contextTags: ['finance'] }).skills).toEqual([
      'always: concerns everyone',
      'csv: applies to csv.read',
      'money: the run is about finance',
    ]);
  });

  it('leave out skills that do not apply', () => {
    expect(linked({ skills }).skills).toEqual(['always: concerns everyone']);
  });
});
