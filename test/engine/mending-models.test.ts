// Models that fix exactly the reported issues: how many rounds a plan with seven faults takes.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { World } from '../../src/testing/world.ts';
import { plans, says } from './models-say.ts';
import { templateOf, thinker, work } from './template-of.ts';

const sniff: Declaration = {
  ...work,
  name: 'csv.sniff',
  description: 'Looks at a CSV file.',
  input: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
};
const pay: Declaration = { ...work, name: 'pay.send' };

/** One fault for each stage that once hid the others: shape, Lisp, references, names, circles, capabilities, inputs. */
const faulty = [
  { name: 'look', capability: 'csv.snif', input: { path: 'a.csv' } },
  {
    name: 'count',
    capability: 'csv.sniff',
    input: { path: 'a.csv', encodnig: 'utf-8' },
    verification: '(some? data/result',
  },
  { name: 'tell', capability: 'work', input: '<node-0>', depends_on: ['cuont'] },
  { name: 'circle_a', capability: 'work', depends_on: ['circle_b'] },
  { name: 'circle_b', capability: 'work', depends_on: ['circle_a'], colour: 'red' },
];

/** An issue as the prompt shows it: `- steps[2].depends_on[0] ("tell"): step "cuont" is not declared (did you mean "count"?)`. */
interface Told {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function toldBy(prompt: string): readonly Told[] {
  return [...prompt.matchAll(/^- (steps\[\d+\][^\s:]*)(?: \("[^"]*"\))?: (.*)$/gm)].map(
    ([, path = '', message = '']) => ({
      path: [...path.matchAll(/\[(\d+)\]|([A-Za-z_]+)/g)].map(([, index, key]) => key ?? Number(index)),
      message,
    }),
  );
}

type Part = Record<string | number, Json>;

/** Follows the message and its hint at the named place, and knows nothing else. */
function mend(plan: Json, { path, message }: Told): void {
  const holder = path.slice(0, -1).reduce<Part>((at, key) => at[key] as unknown as Part, plan as unknown as Part);
  const key = path.at(-1) ?? '';
  const meant = /did you mean "([^"]+)"/.exec(message)?.[1];
  const written = /write (\{\{.*?\}\})/.exec(message)?.[1];
  if (/is not a key|takes no such|has no parameter|is no(?:t a)? parameter|take one of these/.test(message)) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  } else if (written !== undefined || meant !== undefined) holder[key] = written ?? meant ?? '';
  else if (/add "\)"/.test(message)) holder[key] = `${String(holder[key])})`;
  else throw new Error(`the model cannot tell from this how to mend it: ${path.join('.')}: ${message}`);
}

function planned(choose: (told: readonly Told[]) => readonly Told[], maxAttempts?: number) {
  const rounds: (readonly Told[])[] = [];
  let plan: Json = { steps: structuredClone(faulty) };
  const template = templateOf({
    steps: [
      {
        name: 'plan',
        planning: {
          ...{ target: 'end', planner: { kind: 'llm' }, goal: 'Look at the file.', deny: ['pay.*'] },
          ...(maxAttempts === undefined ? {} : { maxAttempts }),
        },
      },
      {
        name: 'end',
        type: 'deferred',
        after: ['plan'],
        convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
      },
    ],
    models: { default: thinker },
    capabilities: [work, sniff, pay],
    budget: { limit: { llm_calls: 20 } },
  });
  const world = new World(template, {
    perform: (each) => {
      if (each.type === 'ask-planner') return plans(template, each);
      if (each.type !== 'ask-model') return good({ columns: [] });
      const told = toldBy(each.request.messages.at(-1)?.content ?? '');
      if (rounds.length > 0 || told.length > 0) {
        plan = structuredClone(plan);
        for (const one of choose(told)) mend(plan, one);
      }
      rounds.push(told);
      return says(plan);
    },
  })
    .begin()
    .run();
  const { failure, status } = present(world.state.steps.get('plan'), 'plan');
  return {
    rounds,
    failure: failure?.message,
    status,
    grown: [...world.state.steps.keys()].filter((id) => id.includes('/')),
  };
}

describe('a model that fixes reported issues', () => {
  it.each([
    { how: 'one issue after the other', choose: (told: readonly Told[]) => told },
    { how: 'the last issue first', choose: (told: readonly Told[]) => told.toReversed() },
  ])('and does so in the round, $how, has a valid plan at the second attempt', ({ choose }) => {
    const { rounds, failure, status, grown } = planned(choose);
    expect({ failure, status }).toEqual({ failure: undefined, status: 'completed' });
    expect(rounds.map((told) => told.length)).toEqual([0, 7]);
    expect(grown).toHaveLength(5);
  });

  it('hears of no new issue when it fixes one in each round', () => {
    const { rounds, failure, status } = planned(([first]) => (first === undefined ? [] : [first]), 8);
    expect({ failure, status }).toEqual({ failure: undefined, status: 'completed' });
    expect(rounds.map((told) => told.length)).toEqual([0, 7, 6, 5, 4, 3, 2, 1]);
  });
});
