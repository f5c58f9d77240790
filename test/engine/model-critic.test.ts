// The model critic: its remarks on an acceptable plan, and the fate of the plan when the critic cannot be asked.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import type { Limit } from '../../src/budget/amount.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { boundOf } from '../../src/engine/bound/bound.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { EventOf, EventType } from '../../src/engine/record/event.schema.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import type { PlanningSpec } from '../../src/template/step-spec.ts';
import type { Template } from '../../src/template/template.ts';
import { type GateAnswer, World, type WorldOptions } from '../../src/testing/world.ts';
import { askedOf, inTurn, plans, says, toldIn, trouble } from './models-say.ts';
import { templateOf, thinker, work } from './template-of.ts';

interface Setting {
  readonly critic?: (asked: AskModel) => EffectOutcome | undefined;
  readonly planner?: () => EffectOutcome | undefined;
  readonly strict?: boolean;
  readonly planning?: Partial<PlanningSpec>;
  readonly limit?: Limit;
  /** The price of a call of `work`. */
  readonly costs?: Declaration['cost'];
  readonly profile?: Partial<ModelProfile>;
  readonly review?: () => GateAnswer;
}

const remark = (saying: string, step = 'look', instead = '') => ({ step, says: saying, instead });
const remarks = (...all: readonly Json[]): EffectOutcome => says({ remarks: [...all] });
const plan: Json = { steps: [{ name: 'look', capability: 'work' }] };
const wider: Json = {
  steps: [
    { name: 'look', capability: 'work' },
    { name: 'tell', capability: 'work', input: { of: 1 } },
  ],
};

function given({
  critic = () => remarks(),
  planner = () => says(plan),
  strict = false,
  planning = {},
  limit,
  costs = {},
  profile = {},
  review,
}: Setting): { readonly template: Template; readonly options: WorldOptions } {
  const template = templateOf({
    steps: [
      { name: 'plan', planning: { target: 'end', planner: { kind: 'llm' }, goal: 'Mend what is odd.', ...planning } },
      { name: 'end', type: 'deferred', after: ['plan'] },
    ],
    models: { default: thinker, strict: { ...thinker, ...profile } },
    criticModel: 'strict',
    capabilities: [{ ...work, cost: costs }],
    ...(strict ? { critic: 'strict' } : {}),
    ...(limit === undefined ? {} : { budget: { limit, landingReserve: 0 } }),
  });
  const perform: WorldOptions['perform'] = (asked) => {
    if (asked.type === 'ask-model') return asked.purpose === 'critic' ? critic(asked) : planner();
    return asked.type === 'ask-planner' ? plans(template, asked) : good({ odd: 1 });
  };
  return { template, options: { perform, ...(review === undefined ? {} : { review }) } };
}

function played(setting: Setting): World {
  const { template, options } = given(setting);
  return new World(template, options).begin().run();
}

const purposes = (world: World) => askedOf(world).map(({ purpose }) => purpose);
const codesOf = ({ issues }: EventOf<'fragment.rejected'>) => issues.map(({ code }) => code);

function eventsOf<T extends EventType>(world: World, type: T): readonly EventOf<T>[] {
  return world.events.filter((event): event is EventOf<T> => event.type === type);
}

function graftIn(world: World): EventOf<'fragment.grafted'> {
  return present(eventsOf(world, 'fragment.grafted')[0], 'graft');
}

describe('a model critic', () => {
  it('is asked once about an acceptable plan, with its goal, its capabilities and the packet', () => {
    const world = played({});
    expect(purposes(world)).toEqual(['plan', 'critic']);
    const [, asked] = askedOf(world);
    expect(asked?.request.model).toBe('strict');
    const told = toldIn(present(asked, 'ask'));
    expect(told).toMatch(/The goal: Mend what is odd\./);
    expect(told).toMatch(/<data name="capabilities">\n\{"work":"Does some work\."\}/);
    expect(told).toMatch(/<data name="plan">\n.*"name":"look"/);
    expect(graftIn(world)).toMatchObject({ score: 10 });
    expect(graftIn(world)).not.toHaveProperty('warnings');
    expect(world.state.ledger.accounts.get('run')?.spent).toMatchObject({ llm_calls: 2, cost_usd: 40 });
  });

  it('is not asked about a plan that the review rejects', () => {
    const world = played({ planner: inTurn(says({ steps: [{ name: 'look', capability: 'wrok' }] }), says(plan)) });
    expect(purposes(world)).toEqual(['plan', 'plan', 'critic']);
  });

  it('has its remarks recorded as warnings, which lower the score', () => {
    const world = played({
      critic: () =>
        remarks(remark('nothing is mended', 'look', 'mend it'), remark('', 'look'), remark('too short', '')),
    });
    expect(graftIn(world)).toMatchObject({
      score: 8,
      warnings: [
        {
          code: 'CRITIC_REMARK',
          severity: 'warning',
          message: 'of step "look" the critic says: nothing is mended',
          path: ['steps', 0],
          hint: 'mend it',
        },
        { code: 'CRITIC_REMARK', message: 'too short', path: [] },
      ],
    });
  });

  it('sends the plan back with its remarks when the template is strict, within the attempts of the planner', () => {
    const mended = played({
      strict: true,
      planner: inTurn(says(plan), says(wider)),
      critic: inTurn(remarks(remark('nobody tells')), remarks()),
    });
    expect(purposes(mended)).toEqual(['plan', 'critic', 'plan', 'critic']);
    expect(eventsOf(mended, 'fragment.rejected').map(codesOf)).toEqual([['CRITIC_REMARK']]);
    expect(toldIn(present(askedOf(mended)[2], 'ask'))).toContain('nobody tells');
    expect(graftIn(mended)).toMatchObject({ attempt: 2, score: 10 });

    const never = played({ strict: true, planning: { maxAttempts: 2 }, critic: inTurn(...unlike) });
    expect(purposes(never)).toEqual(['plan', 'critic', 'plan', 'critic']);
    expect(never.state.steps.get('plan')?.failure).toMatchObject({ code: 'PLAN_INVALID' });
  });

  const unlike = ['one', 'two', 'three'].map((each) => remarks(remark(each)));

  it.each<readonly [string, Partial<Setting>, RegExp]>([
    ['refuses', { critic: () => says('', { finish: 'refusal' }) }, /MODEL_REFUSED/],
    ['cannot be reached', { critic: () => trouble('MODEL_UNAVAILABLE', { retry: 'never' }) }, /MODEL_UNAVAILABLE/],
    ['answers rubbish twice', { critic: () => says('fine, fine') }, /CRITIC_UNREADABLE/],
    ['never answers', { critic: () => undefined }, /STEP_TIMEOUT/],
    ['has no room for the plan', { profile: { contextWindow: 100 } }, /MODEL_CONTEXT_EXCEEDED/],
    ['cannot be paid for', { limit: { llm_calls: 1 } }, /BUDGET_EXCEEDED/],
  ])('is left out with a warning when it %s', (_, setting, why) => {
    const world = played({ ...setting, strict: true });
    expect(world.state.ended).toMatchObject({ status: 'completed' });
    expect(purposes(world).filter((purpose) => purpose === 'plan').length).toBe(1);
    const { score, warnings } = graftIn(world);
    expect(score).toBe(10);
    expect(warnings).toMatchObject([{ code: 'CRITIC_UNHEARD', message: expect.stringMatching(why) }]);
  });

  it('is not asked when its price would leave too little for the steps of the plan', () => {
    const limit = { cost_usd: 4_000 };
    const poor = played({ limit, costs: { micro_dollars: 3_700 } });
    expect(graftIn(poor).warnings).toMatchObject([
      { code: 'CRITIC_UNHEARD', message: expect.stringMatching(/beside/) },
    ]);
    expect(poor.state.ended).toMatchObject({ status: 'completed', partial: false });
    expect(purposes(played({ limit, costs: { micro_dollars: 1_000 } }))).toEqual(['plan', 'critic']);
  });

  it('is asked before people review the plan, and people see its remarks', () => {
    const world = played({
      planning: { review: 'always' },
      critic: () => remarks(remark('nothing is mended')),
      review: () => ({ verdict: 'approve' }),
    });
    expect(purposes(world)).toEqual(['plan', 'critic']);
    expect(eventsOf(world, 'gate.opened')[0]?.context).toMatchObject({
      value: { critic: { score: 9, findings: [{ code: 'CRITIC_REMARK' }] } },
    });
    expect(graftIn(world)).toMatchObject({ score: 9, warnings: [{ code: 'CRITIC_REMARK', severity: 'warning' }] });
  });

  it('is asked about plans of planners without a model too, and their bill counts', () => {
    const { template, options } = given({ planning: { planner: { kind: 'fixed', fragment: { steps: [] } } } });
    const world = new World(template, {
      perform: (asked) => {
        const bill = { tool_calls: 3 };
        return asked.type === 'ask-planner' ? { ...good(plan), bill } : options.perform(asked);
      },
    });
    expect(purposes(world.begin().run())).toEqual(['critic']);
    expect(eventsOf(world, 'plan.proposed')).toMatchObject([{ bill: { tool_calls: 3 } }]);
    expect(world.state.ledger.accounts.get('run')?.spent.llm_calls).toBe(1);
  });

  it('is not asked again after a crash at any event, and neither is the planner', () => {
    const { template, options } = given({ critic: () => remarks(remark('nothing is mended')) });
    const whole = new World(template, options).begin().run();
    const cuts = whole.batches.filter((length) => length > 1 && length < whole.journal.length);
    expect(cuts.length).toBeGreaterThan(4);
    for (const cut of cuts) {
      const again = World.over(template, options, whole.journal.slice(0, cut), whole.blobs);
      const told = eventsOf(again, 'call.ended').length;
      again.crash();
      again.run();
      expect(purposes(again)).toEqual(['plan', 'critic'].slice(told));
      expect(graftIn(again)).toMatchObject({ score: 9, warnings: [{ code: 'CRITIC_REMARK' }] });
      expect(eventsOf(again, 'plan.proposed').length).toBe(1);
    }
  });

  it('counts in the bound with every try and every critique', () => {
    const { template } = given({ strict: true, limit: { phases: 1, replans: 0 }, planning: { maxAttempts: 1 } });
    const fixed = { ...template, budget: { ...template.budget, fragmentSteps: 1 } };
    const refused: EffectOutcome = { ...trouble('MODEL_FORMAT_UNSUPPORTED'), bill: {} };
    const broken = trouble('MODEL_UNAVAILABLE');
    const say = inTurn(refused, broken, broken, says(''), refused, refused, says(''), refused, says(''));
    const world = new World(fixed, {
      perform: (asked) => {
        if (asked.type === 'ask-model') return say();
        return asked.type === 'ask-planner' ? good(plan) : good({});
      },
    });
    const count = askedOf(world.begin().run()).length;
    const row = boundOf(fixed).find(({ resource }) => resource === 'llm_calls');
    // Three readings and two repeated requests; refused features cost nothing.
    expect(world.state.ledger.accounts.get('run')?.spent.llm_calls).toBe(5);
    expect(count).toBe(9);
    expect(5).toBeLessThanOrEqual(present(row?.bound, 'bound'));
    expect(row?.note).toContain('asked by plan');
  });
});
