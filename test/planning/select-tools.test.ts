// The linker: which tools and skills go to whom, and why.
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

describe('the tools that are handed out', () => {
  it('are those that are named, and what is used together with them, each once', () => {
    expect(linked({ wants: ['csv.read', 'csv.sniff'] }).tools).toEqual([
      'csv.read: named',
      'csv.sniff: named',
      'files.list: needed by csv.read',
    ]);
  });

  it('are only what there is: a need that is not granted is left out', () => {
    expect(linked({ wants: ['sql.*'] }).tools).toEqual(['sql.query: of sql.*']);
    expect(linked({}).tools).toEqual([]);
  });

  it('do not depend on the order of the catalogue', () => {
    const forwards = linked({ wants: ['*'] });
    expect(linked({ wants: ['*'], declarations: declarations.toReversed() })).toEqual(forwards);
  });
});

describe('the skills that are told', () => {
  const skill = (name: string, appliesTo: string[] = [], contextTags: string[] = []) => ({
    name,
    text: name,
    appliesTo,
    contextTags,
  });
  const skills = [skill('always'), skill('csv', ['csv.*']), skill('money', [], ['finance']), skill('sql', ['sql.*'])];

  it('are those that concern everyone, a tool at hand, or what the run is about', () => {
    expect(linked({ wants: ['csv.read'], skills, contextTags: ['finance'] }).skills).toEqual([
      'always: concerns everyone',
      'csv: applies to csv.read',
      'money: the run is about finance',
    ]);
  });

  it('are not told to whom they do not concern', () => {
    expect(linked({ skills }).skills).toEqual(['always: concerns everyone']);
  });
});
