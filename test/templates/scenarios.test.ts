// The recorded scenarios of the templates, played; and their cassettes, held against what would be recorded today.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { record } from '../../scripts/cassettes/record.ts';
import { recordings } from '../../scripts/cassettes/recordings.ts';
import { playScenario } from '../../src/testing/scenarios/play-scenario.ts';
import { readScenarios } from '../../src/testing/scenarios/read-scenarios.ts';
import { root } from '../sources.ts';

const files = globSync('templates/*.scenarios.yaml', { cwd: root });
const read = await Promise.all(files.map((file) => readScenarios(file, root)));
const scenarios = read.flatMap((each) => {
  if (!each.ok) throw new Error(JSON.stringify(each.error));
  return each.value.scenarios.map((scenario) => ({ file: each.value, scenario, name: scenario.name }));
});

describe('a recorded scenario', () => {
  it('exists for each template that asks a model', () => {
    expect(files.length).toBeGreaterThanOrEqual(2);
  });

  it.each(scenarios)('$file.template $name', async ({ file, scenario }) => {
    const { differences, issues } = await playScenario(file, scenario, { folder: root, surroundings: {} });
    expect({ differences, issues }).toEqual({ differences: [], issues: [] });
  });
});

describe('a cassette beside a template', () => {
  it.each(recordings)('$cassette equals a new recording (update: npm run cassettes)', async (recording) => {
    const kept = readFileSync(join(root, 'templates', recording.cassette), 'utf8');
    expect(JSON.parse(await record(root, recording))).toEqual(JSON.parse(kept));
  });

  it.each(recordings)('$cassette states that no model has written it', ({ cassette }) => {
    const { note } = JSON.parse(readFileSync(join(root, 'templates', cassette), 'utf8'));
    expect(note).toContain('no model has written');
  });
});

describe('the recording of research-and-compare', () => {
  it('shows a plan that is repaired after its issues, a repeated finding, and a replanned step', () => {
    const text = readFileSync(join(root, 'templates/cassettes/research-and-compare.json'), 'utf8');
    const { exchanges } = JSON.parse(text) as { exchanges: { step: string; purpose?: string; request: object }[] };
    const asked = (step: string, words: string) =>
      exchanges.some((each) => each.step === step && JSON.stringify(each.request).includes(words));
    expect(asked('plan_research', 'Your fragment was rejected:')).toBe(true);
    expect(asked('plan_research.1/research_birch', 'A previous attempt failed verification')).toBe(true);
    expect(asked('plan_research~2', 'some minutes belong to no service')).toBe(true);
    expect(asked('compare', '390')).toBe(true);
  });
});
