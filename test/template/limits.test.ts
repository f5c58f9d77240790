// Limits on capabilities name capabilities that the template has.
import { describe, expect, it } from 'vitest';
import { findings, template } from './given-steps.ts';

const steps = '  - { name: read, handler: csv.sniff, input: { path: a.csv } }\n';

describe('a limit under concurrency.capabilities', () => {
  it.each(['csv.sniff', 'csv.*'])('may apply to %s', (name) => {
    const { concurrency } = template(steps, `concurrency: { capabilities: { "${name}": { max: 2, rate: 30/m } } }`);
    expect(concurrency.capabilities).toEqual({ [name]: { max: 2, rate: { count: 30, per: 60_000 } } });
  });

  it.each(['csv.snif', 'csvs.*'])('is refused for %s, which no granted capability matches', (name) => {
    expect(findings(steps, `concurrency: { capabilities: { "${name}": { max: 2 } } }`)).toEqual([
      `CAPABILITY_UNKNOWN concurrency.capabilities.${name}`,
    ]);
  });
});
