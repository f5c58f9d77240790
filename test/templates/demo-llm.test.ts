// The demonstration with models: what it promises to show is there, without a key, and it ends well where nobody watches.
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../sources.ts';

describe('npm run demo:llm', () => {
  it('shows a plan that is repaired after its issues, a failed verification, a tail replan, a review and the result', async () => {
    const { OPENAI_API_KEY: _, OPENAI_BASE_URL: __, ...inherited } = process.env;
    const env = {
      ...inherited,
      PATH: `${dirname(process.execPath)}${delimiter}${inherited.PATH}`,
      RECONVERGE_STORE: join(mkdtempSync(join(tmpdir(), 'reconverge-demo-')), 'runs.db'),
    };
    const { stdout } = await promisify(execFile)('sh', [join(root, 'scripts/demo-llm')], { env });
    const shown = [
      'Recommend Birch?',
      'reconverge review latest g1 --approve',
      'completed research-and-compare',
      'repairs outages',
      'FRAGMENT_UNKNOWN_CAPABILITY at steps[3].capability',
      'did you mean "researcher"?',
      'VERIFICATION_FAILED: the items do not add up to monthly_usd',
      'repairs     the plan of plan_research, tail',
      'recommended: Birch',
    ];
    const places = shown.map((words) => stdout.indexOf(words));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places).not.toContain(-1);
  });
});
