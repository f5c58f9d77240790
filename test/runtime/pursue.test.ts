// Goals without a template: an engine plans the tasks that their words name, runs them in order, and reports failures.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { Script } from '../../src/llm/script.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import type { PursueOptions } from '../../src/runtime/api/engine.ts';
import { executeGoal } from '../../src/runtime/mission/execute-goal.ts';
import { codes, engineOf, good, pathTo } from './set-up.ts';

const LOGIN =
  'Add login with session cookies. Use basic auth. Read API spec at https://example.com/spec.pdf. Then write unit tests.';

const frame: JsonObject = { models: { default: { model: 'scripted', prices: { input: 1, output: 1 } } } };

const shout = defineCapability({
  name: 'text.shout',
  description: 'Says a text aloud.',
  input: '{text :string}',
  output: ':string',
  effects: ['compute'],
  run: ({ text }) => text.toUpperCase(),
});

const patch = defineCapability({
  name: 'code.patch',
  description: 'Applies a patch.',
  effects: ['write'],
  run: () => true,
});
const editor: JsonObject = { prompt: 'You change code.', tools: ['code.*'] };

const noTool = { choices: [1, 2, 3, 4].map((task) => ({ task, none: 'no tool does it' })) };
const CHOOSES = 'You choose which tool';

/** Pursues a goal with a model that chooses no tool; `asked` holds its other requests. */
async function pursue(goal: string, options: PursueOptions = {}, script: Script = []) {
  const scripted = scriptedModel([{ when: { system: CHOOSES }, reply: { json: noTool }, times: 'always' }, ...script]);
  const model = {
    get asked() {
      return scripted.asked.filter(({ messages }) => !said(messages[0]?.content).includes(CHOOSES));
    },
  };
  const engine = engineOf({ capabilities: [shout, patch], models: { default: scripted } });
  const begun = await engine.pursue(goal, { frame, ...options });
  const report = await good(begun).done;
  const { state } = good(engine.read(report.run));
  const steps = [...state.steps.values()].filter(({ id }) => id.startsWith('plan.1/'));
  return { engine, model, report, steps };
}

const said = (content: string | undefined) => content ?? '';

describe('the login example of the seeds', () => {
  it('becomes four tasks of an agent that begin with the reading, and the last task sees the earlier results', async () => {
    const script: Script = [
      { when: { contains: 'Task: Read API spec' }, reply: { text: 'basic auth, one cookie' } },
      { when: { contains: 'Task: Add login' }, reply: { text: 'login added' } },
      { when: { contains: 'Task: Use basic auth' }, reply: { text: 'basic auth used' } },
      { when: { contains: 'Task: write unit tests' }, reply: { text: 'tests pass' } },
    ];
    const { model, report, steps } = await pursue(LOGIN, { frame: { ...frame, agents: { default: editor } } }, script);
    expect(steps.map(({ spec }) => spec.description)).toEqual([
      'Read API spec at https://example.com/spec.pdf',
      'Add login with session cookies',
      'Use basic auth',
      'write unit tests',
    ]);
    expect(report).toMatchObject({ status: 'completed', output: { write_unit_tests: 'tests pass' } });
    const [first, , , last] = model.asked.map(({ messages }) => said(messages.at(-1)?.content));
    expect(first).toContain('- link https://example.com/spec.pdf');
    expect(last).toContain('basic auth, one cookie');
    expect(last).toContain('login added');
  });

  it('is refused without a model before a run starts', async () => {
    const engine = engineOf();
    expect(codes(await engine.pursue(LOGIN))).toEqual(['MODEL_NOT_CONFIGURED']);
    expect(codes(await engine.pursue('Do it if you like.'))).toEqual(['MODEL_NOT_CONFIGURED']);
    expect(codes(await engine.pursue(' \n'))).toEqual(['INPUT_INVALID']);
    expect(engine.runs()).toEqual([]);
  });
});

describe('a goal', () => {
  it('that names capabilities runs without a model', async () => {
    const { model, report } = await pursue('Use text.shout, text: "hello". Then use text.shout, text: "you".');
    expect(report).toMatchObject({ status: 'completed', output: { use_text_shout_text_you: 'YOU' } });
    expect(model.asked).toEqual([]);
  });

  it('keeps the text of a reference unresolved', async () => {
    const { report } = await pursue('Use text.shout, text: "{{ input.goal }}"');
    expect(report.output).toEqual({ use_text_shout_text_input: '{{ INPUT.GOAL }}' });
  });

  it('makes the run ask a person for a missing text, and the run continues with the answer', async () => {
    const { engine, report } = await pursue('Use text.shout but ask me for the text');
    expect(report).toMatchObject({ status: 'waiting', gates: [{ prompt: 'What is the text?' }] });
    const { handle } = good(
      await engine.order(report.run, { type: 'review', gate: 'g1', verdict: 'answer', value: 'ada', by: 'ada' }),
    );
    expect(await handle?.done).toMatchObject({ status: 'completed', output: { use_text_shout: 'ADA' } });
  });

  it('makes the run ask a person for each of five missing arguments of a call', async () => {
    const mail = defineCapability({
      name: 'mail.send',
      description: 'Send a mail.',
      input: '{to :string, from :string, subject :string, body :string, copies :int}',
      effects: ['network'],
      run: (input) => input,
    });
    const answers: readonly Json[] = ['ada', 'bob', 'hi', 'how are you?', 2];
    const engine = engineOf({ capabilities: [mail] });
    const { run } = await good(await engine.pursue('Use mail.send.')).done;
    const reports: unknown[] = [];
    for (const [index, value] of answers.entries()) {
      const order = { type: 'review', gate: `g${index + 1}`, verdict: 'answer', value, by: 'ada' } as const;
      reports.push(await good(await engine.order(run, order)).handle?.done);
    }
    expect(reports.at(-1)).toMatchObject({ status: 'completed', output: { use_mail_send: { copies: 2 } } });
  });

  it('uses an answer that is given in advance, and reports its results like a plan', async () => {
    const engine = engineOf({ capabilities: [shout] });
    const given = { ask_me_for_the_text: 'bob' };
    expect(good(await executeGoal(engine, 'Use text.shout but ask me for the text', { given }))).toMatchObject({
      status: 'completed',
      results: { ask_me_for_the_text: 'bob', use_text_shout: 'BOB' },
    });
  });

  it('skips the call behind a question that a person answers with no', async () => {
    const { engine, report } = await pursue('Use text.shout, text: "boo", but ask me first');
    const value: Json = { approved: false, notes: 'hush' };
    const { handle } = good(
      await engine.order(report.run, { type: 'review', gate: 'g1', verdict: 'answer', value, by: 'ada' }),
    );
    expect(await handle?.done).toMatchObject({ status: 'completed', output: {} });
  });

  it('is planned by a model when its words do not name the tasks', async () => {
    const plan = { rationale: 'one call', steps: [{ name: 'say', capability: 'text.shout', input: { text: 'hi' } }] };
    const { model, report } = await pursue('Greet whoever comes, if anyone does.', {}, [{ reply: { json: plan } }]);
    expect(report).toMatchObject({ status: 'completed', output: { say: 'HI' } });
    expect(model.asked).toHaveLength(1);
  });

  it('waits for a missing file, and sends the task to an agent after a person names a file', async () => {
    const goal = 'Explain notes.txt, then explain it to a child';
    const script: Script = [{ reply: { text: 'about cats' } }, { reply: { text: 'cats!' } }];
    const { engine, model, report } = await pursue(goal, {}, script);
    expect(report).toMatchObject({ status: 'waiting', gates: [{ kind: 'clarification' }] });
    expect(model.asked).toEqual([]);
    writeFileSync(pathTo('note.txt'), 'cats');
    const { handle } = good(
      await engine.order(report.run, { type: 'review', gate: 'g1', verdict: 'answer', value: 'note.txt', by: 'ada' }),
    );
    expect(await handle?.done).toMatchObject({ status: 'completed', output: { explain_it_to_a_child: 'cats!' } });
    expect(said(model.asked[0]?.messages.at(-1)?.content)).toContain('- file note.txt');
  });

  it('gives a task to the agent that is set for its kind, and each agent receives the attachments', async () => {
    const agents = { tester: { prompt: 'You write tests.' } };
    const { model, steps } = await pursue(
      'Explain the code. Write unit tests.',
      {
        frame: { ...frame, agents },
        kinds: { unit_test: { agent: 'tester' } },
        attachments: ['https://example.com/code'],
      },
      [{ when: { system: 'You write tests.' }, reply: { text: 'tests' } }, { reply: { text: 'code' } }],
    );
    expect(steps.map(({ spec }) => spec.agent?.name)).toEqual(['default', 'tester']);
    for (const { messages } of model.asked)
      expect(said(messages.at(-1)?.content)).toContain('https://example.com/code');
  });
});

describe('a goal without a model', () => {
  const pursueBare = async (goal: string, frame: JsonObject = {}) => {
    const engine = engineOf();
    const begun = await engine.pursue(goal, { frame: { capabilities: ['catalog'], ...frame } });
    const { run, status } = await good(begun).done;
    const { state } = good(engine.read(run));
    const steps = [...state.steps.values()].filter(({ id }) => id.startsWith('plan.1/'));
    return { status, calls: steps.map(({ spec }) => [spec.capability, spec.input]) };
  };

  it('reads each file with the capability for its type', async () => {
    writeFileSync(pathTo('a.csv'), 'id,total\n1,7\n');
    writeFileSync(pathTo('notes.md'), 'one two');
    expect(await pursueBare('Profile a.csv, then read notes.md')).toEqual({
      status: 'completed',
      calls: [
        ['csv.profile', { path: 'a.csv' }],
        ['files.read', { path: 'notes.md' }],
      ],
    });
  });

  it('passes the result of a call to the next call, and waits before it writes a file', async () => {
    writeFileSync(pathTo('notes.md'), 'one two');
    const { status, calls } = await pursueBare('Read notes.md, then use files.write on copy.md');
    expect([status, calls[1]]).toEqual([
      'waiting',
      ['files.write', { path: 'copy.md', text: '{{ results.read_notes_md.text }}' }],
    ]);
  });

  it.each(['Write hello to a.txt', 'Count the words in a.csv', 'List the files in data'])(
    'makes the run ask a person about the open parts of "%s"',
    async (goal) => {
      expect(await pursueBare(goal)).toEqual({ status: 'waiting', calls: [] });
    },
  );

  it.each(['Explain a.csv', 'Review a.csv'])(
    'needs a model for "%s", although a capability could read the file',
    async (goal) => {
      expect(codes(await engineOf().pursue(goal))).toEqual(['MODEL_NOT_CONFIGURED']);
    },
  );
});

describe('a sequential goal', () => {
  it('with a thousand tasks passes each task a short summary of all tasks before it', async () => {
    const goal = Array.from({ length: 1_000 }, (_, at) => `- Use text.tell, text: "${at}"`).join('\n');
    const told: string[] = [];
    const tell = defineCapability({
      name: 'text.tell',
      description: 'Tells what came before.',
      effects: ['compute'],
      run: (input: Json) => {
        told.push(JSON.stringify((input as JsonObject).summary ?? null));
        return { said: `${told.length} `.repeat(200) };
      },
    });
    const engine = engineOf({ capabilities: [tell] });
    const begun = await engine.pursue(goal, { sequential: true, frame: { context: { max_tokens: 2_000 } } });
    const report = await good(begun).done;
    expect([report.status, told.length]).toEqual(['completed', 1_000]);
    expect(Math.max(...told.map((each) => each.length))).toBeLessThan(8_000);
    expect(told.at(-1)).toMatch(/^{"turns":999,"results":{"use_text_tell_text_998":/);
  });

  const goal = '- explain a\n- explain b\n- explain c';
  const failing: Script = [
    { when: { contains: 'Task: explain a' }, reply: { text: 'a is first' } },
    { when: { contains: 'Task: explain b' }, reply: { refusal: 'not b' } },
    { when: { contains: 'Task: explain c' }, reply: { text: 'c is last' } },
  ];

  it('continues after a failed task, tells the last task about the earlier ones, and reports the failure', async () => {
    const { engine, model, report, steps } = await pursue(goal, { sequential: true }, failing);
    expect(steps.map(({ status, skipped }) => skipped ?? status)).toEqual(['completed', 'tolerated', 'completed']);
    const last = said(model.asked.at(-1)?.messages.at(-1)?.content);
    expect(last).toContain('a is first');
    expect(last).toContain('the model refuses: not b');
    expect(report).toMatchObject({
      status: 'completed',
      tolerated: [{ step: 'plan.1/explain_b', task: 'explain b', code: 'MODEL_REFUSED' }],
    });
    expect(good(engine.read(report.run)).state.partial).toBe(true);
    expect(report.orders).toMatchObject([
      { says: 'explain a', outcome: 'done', steps: [{ step: 'plan.1/explain_a', by: 'agent default' }] },
      { says: 'explain b', outcome: 'not_done', why: 'MODEL_REFUSED: the model refuses: not b' },
      { says: 'explain c', outcome: 'done' },
    ]);
  });

  it('fails when the model calls it impossible', async () => {
    const { report } = await pursue('Greet whoever comes, if anyone does.', { sequential: true }, [
      { reply: { json: { impossible: 'nobody comes' } } },
    ]);
    expect(report.status).toBe('failed');
    expect(report.failed[0]).toMatchObject({ step: 'plan', code: 'PLAN_IMPOSSIBLE', message: 'nobody comes' });
  });

  it('fails and reports the failed task if it runs without `sequential`', async () => {
    const impossible = { when: { contains: '# Goal' }, reply: { json: { impossible: 'there is no b' } } };
    const { report } = await pursue(goal, {}, [impossible, ...failing]);
    expect(report.status).toBe('failed');
    expect(report.failed.map(({ step, task }) => [step, task])).toContainEqual(['plan.1/explain_b', 'explain b']);
  });

  it('continues after a person answers the question of an agent', async () => {
    const script: Script = [
      { when: { contains: 'Task: explain a' }, reply: { text: 'a is first' } },
      {
        when: { contains: 'Task: explain b', turn: 1 },
        reply: { toolCalls: [{ name: 'ask_person', arguments: { question: 'Which b?' } }] },
      },
      { when: { contains: 'Task: explain b' }, reply: { text: 'b is that one' } },
      { when: { contains: 'Task: explain c' }, reply: { text: 'c is last' } },
    ];
    const { engine, report, steps } = await pursue(goal, { sequential: true }, script);
    expect(report).toMatchObject({ status: 'waiting', gates: [{ prompt: 'Which b?' }] });
    expect(steps.map(({ status }) => status)).toEqual(['completed', 'held', 'waiting']);
    const { handle } = good(
      await engine.order(report.run, {
        type: 'review',
        gate: 'g1',
        verdict: 'answer',
        value: 'the big one',
        by: 'ada',
      }),
    );
    expect(await handle?.done).toMatchObject({ status: 'completed', output: { explain_c: 'c is last' } });
  });
});
