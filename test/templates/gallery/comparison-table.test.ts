// The template comparison-table fills its cells with the planted values, and every cell cites the line where its value stands.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openModelServer } from '../../../src/testing/model-server.ts';
import { copyOf, runIn } from './run-template.ts';

interface Compared {
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly subject: string;
    readonly path: string;
    readonly cells: readonly {
      readonly criterion: string;
      readonly values: readonly { readonly value: string; readonly line: number }[];
    }[];
  }[];
  readonly conflicts: readonly { readonly subject: string; readonly criterion: string }[];
}

const tableOf = ({ rows }: Compared): Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =>
  Object.fromEntries(
    rows.map(({ subject, cells }) => [
      subject,
      Object.fromEntries(cells.map(({ criterion, values }) => [criterion, values.map(({ value }) => value)])),
    ]),
  );

/** Every number of a cited value stands on the cited line of the file itself. */
function expectCited(folder: string, { rows }: Compared): void {
  for (const { path, cells } of rows) {
    const lines = readFileSync(join(folder, path), 'utf8').split('\n');
    for (const { values } of cells)
      for (const { value, line } of values)
        for (const number of value.match(/\d+/g) ?? []) expect(`${path}:${line} ${lines[line - 1]}`).toContain(number);
  }
}

describe('the sample', () => {
  it('has the planted values, from tables, lists and sentences, and none of the traps', async () => {
    const folder = copyOf('comparison-table');
    const { report, output } = await runIn<Compared>(folder);
    expect(report).toMatchObject({ status: 'completed', partial: false });
    expect(tableOf(output)).toEqual({
      'Boreal Haul': {
        Battery: ['2 × 545 Wh'],
        Payload: ['160 kg'],
        Weight: ['33,2 kg', '34.1 kg, weighed by us with both batteries.'],
        Price: ['7,250 EUR'],
        Torque: ['90 Nm'],
        Range: ['140 km'],
        Warranty: ['2 years'],
      },
      'Fjord Carrier 2': {
        Battery: ['630 Wh'],
        Payload: ['120 kg'],
        Weight: ['27.5 kg'],
        Price: ['€ 4,990'],
        Torque: ['75 Nm'],
        Range: ['85 km'],
        Warranty: ['5 years'],
      },
      'Lastkahn L': {
        Battery: ['1.0 kWh'],
        Payload: ['200 kg'],
        Weight: ['42 kg'],
        Price: ['6.490 €'],
        Torque: ['85 Nm'],
        Range: ['110 km'],
        Warranty: ['3 years'],
      },
      'MULO - a short cargo bike from Turin': {
        Battery: ['500 Wh'],
        Payload: ['90 kg'],
        Weight: ['24 kg'],
        Price: ['3.790 EUR'],
        Torque: ['60 Nm'],
        Range: ['52 km'],
        Warranty: ['24 months'],
      },
      'Patachou Duo': {
        Battery: ['720 Wh'],
        Payload: ['150 kg'],
        Weight: ['29 000 g'],
        Price: ['5 190 EUR'],
        Torque: ['65 Nm'],
        Range: ['70–95 km'],
        Warranty: ['4 years'],
      },
      'Stella Porter': {
        Battery: ['360 Wh'],
        Payload: [],
        Weight: ['19.8 kg'],
        Price: ['2 890 EUR'],
        Torque: [],
        Range: ['45 km'],
        Warranty: [],
      },
    });
    expect(output.conflicts).toMatchObject([{ subject: 'Boreal Haul', criterion: 'Weight' }]);
    expectCited(folder, { ...output, rows: output.rows.filter(({ path }) => !path.endsWith('.html')) });
  });

  it('has only the columns that are asked for', async () => {
    const { output } = await runIn<Compared>(copyOf('comparison-table'), { input: { criteria: ['Price', 'Range'] } });
    expect(output.columns).toEqual(['Price', 'Range']);
    expect(output.rows.map(({ cells }) => cells.length)).toEqual([2, 2, 2, 2, 2, 2]);
  });
});

describe('a folder of papers', () => {
  const papers = {
    'papers/aalto.md':
      '# Aalto 2021\n\nWe asked nurses.\n\nParticipants: 412 people\nFollow-up: 18 months\nAccuracy: 91.5 %\n',
    'papers/brunner.html':
      '<html><body><h1>Brunner 2022</h1>\n<p>A smaller study.</p>\n<table><tr><td>Participants</td><td>96 people</td></tr>\n<tr><td>Accuracy</td><td>88 %</td></tr></table>\n<p>All of them were seen again; the follow-up\nlasted 2 years in every clinic.</p></body></html>\n',
    'papers/cho.txt':
      'CHO 2019\n\nFollow-up: 6 months\n\nUnlike Aalto 2021, whose accuracy was 91.5 %, this study saw an effect.\nIts accuracy was 79.25 % in the first year.\nThe trial had 1,204 participants, and none left.\n',
  };

  it('becomes a table of what at least two papers state', async () => {
    const folder = copyOf('comparison-table', papers);
    const { output } = await runIn<Compared>(folder, { input: { folder: 'papers', synonyms: {} } });
    expect(tableOf(output)).toEqual({
      'Aalto 2021': { Participants: ['412 people'], Accuracy: ['91.5 %'], 'Follow-up': ['18 months'] },
      'Brunner 2022': { Participants: ['96 people'], Accuracy: ['88 %'], 'Follow-up': ['2 years'] },
      'CHO 2019': { Participants: ['1,204 participants'], Accuracy: ['79.25 %'], 'Follow-up': ['6 months'] },
    });
    expectCited(folder, output);
  });

  it('fails when a model cites a line that does not say it', async () => {
    const folder = copyOf('comparison-table', papers);
    const reads = ['aalto.md', 'brunner.html', 'cho.txt'].map((name, at) => ({
      name: `read_${at}`,
      capability: 'sources.read',
      input: { path: `papers/${name}` },
    }));
    const fact = { path: 'papers/aalto.md', column: 'Accuracy', value: '99.9 %', line: 7, quote: 'Accuracy: 99.9 %' };
    const data = {
      columns: ['Accuracy'],
      subjects: [{ path: 'papers/aalto.md', subject: 'Aalto 2021' }],
      facts: [fact],
    };
    const stated = { name: 'stated', capability: 'data.transform', input: { expr: 'data/input', data } };
    const server = await openModelServer({
      script: [
        { reply: { json: { rationale: 'read all', steps: reads } } },
        { reply: { json: { rationale: 'compare', steps: [stated] } } },
      ],
    });
    onTestFinished(() => server.close());
    const { report } = await runIn<Compared>(folder, {
      input: { folder: 'papers' },
      environment: 'llm',
      surroundings: { OPENAI_BASE_URL: server.url },
    });
    expect(report.status).toBe('failed');
    expect(JSON.stringify(report)).toContain('\\"99.9 %\\" does not stand in aalto.md:7');
  });
});
