// A model chooses capabilities for tasks that words leave open: the requests it gets, and the reading of its answers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { CHOICE_ASKS } from '../../src/engine/bound/most-model-use.ts';
import type { Call, CallOutcome } from '../../src/engine/record/call.ts';
import { readChoices } from '../../src/planners/llm/choice-answer.ts';
import { advance, type PlannerProgress } from '../../src/planners/planner.ts';
import { plannerOf } from '../../src/planners/planner-of.ts';
import type { Brief } from '../../src/planning/brief.ts';
import { anyJson } from '../contract/arbitraries.ts';
import { thinker } from '../engine/template-of.ts';
import { brief } from './given-brief.ts';

const line = (
  name: string,
  description: string,
  properties: JsonObject,
  effects: Brief['capabilities'][number]['effects'] = ['read'],
) => ({
  name,
  description,
  effects,
  input: { type: 'object', required: Object.keys(properties).slice(0, 1), properties, additionalProperties: false },
});
const text = { type: 'string' };
const capabilities = [
  line('hub.create_ticket', 'Create a ticket.', { title: text, priority: { enum: ['low', 'high'] } }, ['write']),
  line('hub.delete_ticket', 'Delete a ticket.', { ticket: { type: 'integer' } }, ['delete']),
  line('hub.list_tickets', 'List tickets. All of them.', {
    state: { enum: ['open', 'closed'] },
    perPage: { type: 'integer' },
  }),
];
const hybrid = { kind: 'hybrid', kinds: {}, sequential: false, attachments: [] } as const;
const models = { default: thinker };

const says = (answer: Json): CallOutcome => {
  const reply = {
    text: typeof answer === 'string' ? answer : JSON.stringify(answer),
    finish: 'stop',
    usage: { input: 1, output: 1 },
  };
  return good(reply);
};
const chosen = (...choices: readonly JsonObject[]): CallOutcome => says({ choices });

function asked(goal: string, said: readonly CallOutcome[] = [], more: Partial<Brief> = {}): PlannerProgress {
  const planner = plannerOf(hybrid, { limits: { lisp: {} }, models });
  return advance(planner, { ...brief, goal, capabilities, ...more }, said);
}

function requestOf(progress: PlannerProgress): Call & { readonly kind: 'model' } {
  if (progress.done || progress.call.kind !== 'model') throw new Error(JSON.stringify(progress));
  return progress.call;
}

const lastTold = (progress: PlannerProgress): string =>
  present(requestOf(progress).request.messages.at(-1), 'message').content;
const fragmentOf = (progress: PlannerProgress): Json => {
  if (!progress.done || !progress.end.ok) throw new Error(JSON.stringify(progress));
  return progress.end.value.fragment;
};

const goal = 'Show what customers complain about';

describe('a task that words leave open', () => {
  it('is sent to the model with the signatures of all tools and a stamped prompt', () => {
    const { prompt, purpose, request } = requestOf(asked(goal));
    expect(prompt).toMatch(/^choice@2 [\w-]{12}$/);
    expect(purpose).toBe('plan');
    expect(request.answer?.name).toBe('choices');
    expect(request.messages.map(({ content }) => content)[1]).toBe(`# Goal
${goal}

# Tasks
<data name="tasks">
[{"task":1,"does":"${goal}"}]
</data>

# Tools
<data name="tools">
- hub.create_ticket(title, priority :"low"|:"high"?): Create a ticket
- hub.delete_ticket(ticket :int): Delete a ticket
- hub.list_tickets(state :"open"|:"closed", perPage :int?): List tickets
</data>`);
  });

  it('gives the same request for any order of the declarations', () => {
    const turned = asked(goal, [], { capabilities: capabilities.toReversed() });
    expect(requestOf(turned).request).toEqual(requestOf(asked(goal)).request);
  });

  it('becomes a call of the chosen tool with the arguments of the model', () => {
    const said = chosen({ task: 1, capability: 'hub.list_tickets', arguments: { state: 'open', perPage: 20 } });
    expect(fragmentOf(asked(goal, [said]))).toMatchObject({
      steps: [{ capability: 'hub.list_tickets', input: { state: 'open', perPage: 20 } }],
      intents: { strategy: 'pattern', intents: [{ chosen: { by: 'model', capability: 'hub.list_tickets' } }] },
    });
  });

  it('goes to a person when the model answers "ask", and the model is not asked for a plan', () => {
    const said = chosen({ task: 1, ask: 'two may fit' });
    expect(fragmentOf(asked('Send the tickets to Ann', [said]))).toMatchObject({
      needs_clarification: { answer: { enum: expect.arrayContaining(['hub.list_tickets', 'none of these']) } },
    });
  });

  it('goes to the next strategy when the model answers "none", and the record gives the reason', () => {
    const progress = asked(goal, [chosen({ task: 1, none: 'no tool knows complaints' })]);
    expect(requestOf(progress).prompt).toMatch(/^llm-planner@/);
    const planned = fragmentOf(
      asked(goal, [chosen({ task: 1, none: 'no tool knows complaints' }), says({ steps: [] })]),
    );
    expect(planned).toMatchObject({
      intents: {
        tried: [{ strategy: 'pattern', why: expect.stringContaining('the model: no tool knows complaints') }],
      },
    });
  });

  it('is not sent when its words prove a capability', () => {
    expect(asked('List the tickets', []).done || requestOf(asked('List the tickets')).prompt).not.toMatch(/^choice/);
  });
});

describe('an invalid choice', () => {
  it.each([
    ['no JSON', says('Sure!'), 'Your answer is not {"choices"'],
    ['no choice for a task', chosen({ task: 7, none: 'x' }), 'There is no choice for task 1'],
    ['an empty choice', chosen({ task: 1 }), 'Task 1: say "capability", "none" or "ask"'],
    [
      'a name that is not listed',
      chosen({ task: 1, capability: 'hub.list_ticket' }),
      'did you mean "hub.list_tickets"?',
    ],
    [
      'an argument that the tool does not take',
      chosen({ task: 1, capability: 'hub.list_tickets', arguments: { per_page: 3 } }),
      'hub.list_tickets has no parameter "per_page", did you mean "perPage"?',
    ],
    [
      'a value that does not fit',
      chosen({ task: 1, capability: 'hub.list_tickets', arguments: { state: 'all' } }),
      'state',
    ],
    [
      'a reference',
      chosen({ task: 1, capability: 'hub.list_tickets', arguments: { state: '{{ results.x }}' } }),
      'leave out "state"',
    ],
  ])('is returned to the model once: %s', (_, said, told) => {
    const progress = asked(goal, [said]);
    expect(requestOf(progress).prompt).toMatch(/^choice@/);
    expect(lastTold(progress)).toContain(told);
    const mended = chosen({ task: 1, capability: 'hub.list_tickets', arguments: { state: 'open' } });
    expect(fragmentOf(asked(goal, [said, mended]))).toMatchObject({ steps: [{ capability: 'hub.list_tickets' }] });
  });

  it('leaves the task to a person after the second answer, and the rationale says why', () => {
    const wrong = chosen({ task: 1, capability: 'hub.show' });
    const question = 'Which capability does "Send the tickets to Ann"?';
    const clarifications = [{ question, answer: 'hub.list_tickets' }];
    const state = { question: 'For "Send the tickets to Ann": What is the state?', answer: 'open' };
    const open = asked('Send the tickets to Ann', [wrong, wrong]);
    expect(fragmentOf(open)).toMatchObject({ needs_clarification: { question } });
    const next = fragmentOf(asked('Send the tickets to Ann', [wrong, wrong], { clarifications }));
    const asks = (next as { readonly needs_clarification: { readonly question: string } }).needs_clarification.question;
    const all = [...clarifications, { ...state, question: asks }];
    expect(fragmentOf(asked('Send the tickets to Ann', [wrong, wrong], { clarifications: all }))).toMatchObject({
      rationale: expect.stringContaining('there is no tool "hub.show"'),
    });
  });

  it('is reported by the plan when the second answer has wrong arguments as well', () => {
    const said = chosen({ task: 1, capability: 'hub.list_tickets', arguments: { state: 'open', mood: 'fine' } });
    expect(fragmentOf(asked(goal, [said, said]))).toMatchObject({
      rationale: expect.stringContaining('has no parameter "mood"'),
      steps: [{ input: { state: 'open' } }],
    });
  });

  it('is not assumed when the model is unreachable: a person chooses', () => {
    const down: CallOutcome = bad({ code: 'MODEL_UNAVAILABLE', message: 'it is down', retry: 'never' });
    expect(fragmentOf(asked('Send the tickets to Ann', [down]))).toMatchObject({
      needs_clarification: { question: 'Which capability does "Send the tickets to Ann"?' },
    });
  });

  it('is a failure when the cassette lacks the request', () => {
    const miss: CallOutcome = bad({ code: 'CASSETTE_MISS', message: 'none', retry: 'never' });
    expect(asked(goal, [miss])).toMatchObject({ done: true, end: { ok: false, error: { code: 'CASSETTE_MISS' } } });
  });
});

it('gives no tool that is forbidden or not granted, for any answer', () => {
  const names = fc.constantFrom('hub.list_tickets', 'hub.delete_ticket', 'hub.create_ticket', 'x', '__proto__');
  const entry = fc.record(
    {
      task: fc.constantFrom<Json>(1, '1', 2, null),
      capability: names,
      arguments: anyJson,
      none: anyJson,
      ask: anyJson,
    },
    { requiredKeys: [] },
  );
  const answers = fc.oneof(anyJson, fc.record({ choices: fc.oneof(anyJson, fc.array(entry)) }));
  fc.assert(
    fc.property(answers, (value) => {
      const tasks = [{ description: 'Show ticket 5' }];
      const { choices } = readChoices(JSON.parse(JSON.stringify(value)), tasks, 'Show ticket 5', capabilities);
      const choice = choices.get('Show ticket 5');
      const chosenName = choice?.kind === 'capability' ? choice.name : 'hub.list_tickets';
      expect(['hub.list_tickets', 'hub.create_ticket']).toContain(chosenName);
    }),
  );
});

describe('the vetoes', () => {
  const destroys = chosen({ task: 1, capability: 'hub.delete_ticket', arguments: { ticket: 5 } });

  it('send a destructive choice to a person when the goal asks for no destruction', () => {
    const fragment = fragmentOf(asked('Show ticket 5', [destroys]));
    expect(JSON.stringify(fragment)).not.toContain('"capability":"hub.delete_ticket"');
    expect(fragment).toMatchObject({ needs_clarification: { answer: { enum: expect.any(Array) } } });
  });

  it('cover verbs that any part of the goal rules out', () => {
    const around = 'Tidy up ticket 5. Never delete a ticket.';
    for (const said of [[destroys], [chosen({ task: 1, capability: 'hub.delete_ticket' }, { task: 2, none: 'x' })]]) {
      const progress = asked(around, said);
      expect(JSON.stringify(progress)).not.toMatch(/"capability":"hub\.delete_ticket","input/);
    }
  });

  it.each([
    ['names', { capability: 'hub.delete_ticket', input: { ticket: 5 } }],
    ['words', { input: { ticket: 5 } }],
  ])('bind a model that decomposes the goal, by its %s', (_, said) => {
    const intents = [{ id: 'a', does: 'delete the ticket 5', kind: 'call', ...said }];
    const planner = plannerOf({ kind: 'llm', strategy: 'grounded' }, { limits: { lisp: {} }, models });
    const planned = (wording: string) =>
      fragmentOf(advance(planner, { ...brief, goal: wording, capabilities }, [says({ confidence: 0.9, intents })]));
    expect(planned('Bring order into the tickets')).toMatchObject({
      needs_clarification: { question: 'Which capability does "delete the ticket 5"?' },
    });
    expect(planned('Get rid of ticket 5')).toMatchObject({ steps: [{ capability: 'hub.delete_ticket' }] });
  });

  it('allow a destructive choice when the goal asks for destruction in other words', () => {
    const fragment = fragmentOf(asked('Get rid of the ticket with the number 5', [destroys]));
    expect(fragment).toMatchObject({ steps: [{ capability: 'hub.delete_ticket', input: { ticket: 5 } }] });
  });
});

describe('more than a hundred tools', () => {
  const server = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => line(`${name}.tool_${at}`, `Does thing ${at} of ${name}.`, { id: text }));
  const many = [...server('alpha', 90), ...server('beta', 30), ...capabilities];
  const big = (said: readonly CallOutcome[]) => asked(goal, said, { capabilities: many });

  it('are listed by server first, with their number and a few names', () => {
    const first = lastTold(big([]));
    expect(requestOf(big([])).prompt).toMatch(/^choice-among-servers@2 /);
    expect(first).toMatch(/- alpha \(90 tools\): alpha\.tool_0, .*, …\n- beta \(30 tools\): .*\n- hub \(3 tools\): /);
    expect(first).not.toContain('Does thing');
  });

  it('are shown once for opened servers, and once for a search', () => {
    const opened = big([says({ servers: ['hub'] })]);
    expect(lastTold(opened)).toContain('- hub.list_tickets(state :"open"|:"closed", perPage :int?): List tickets');
    expect(lastTold(opened)).not.toContain('alpha.');
    const found = big([says({ servers: ['hub'] }), says({ search: 'thing 7 beta' })]);
    expect(lastTold(found)).toContain('- beta.tool_7(id): Does thing 7 of beta');
    const again = big([says({ servers: ['hub'] }), says({ search: 'thing 7 beta' }), says({ search: 'more' })]);
    expect(lastTold(again)).toContain('Your answer is not {"choices"');
  });

  it('take at most `CHOICE_ASKS` requests', () => {
    const said = [says({ servers: ['hub'] }), says({ search: 'tickets' }), says('?'), says('?')];
    expect(said).toHaveLength(CHOICE_ASKS);
    expect(fragmentOf(asked('Send the tickets to Ann', said, { capabilities: many }))).toHaveProperty(
      'needs_clarification',
    );
  });
});
