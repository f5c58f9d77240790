// plan review and plan run: plans from files, checked and run without a template.
import { describe, expect, it } from 'vitest';
import { call, openDoor } from './reconverge.ts';

const plan = {
  tasks: [
    { id: 'one', type: 'compute', expr: '1' },
    { id: 'two', type: 'compute', expr: '(inc (get data/results "one"))' },
  ],
};

const template = `reconverge: 1
name: two
capabilities: [catalog]
steps:
  - { name: first, type: planning, goal: Count, planner: { kind: fixed, fragment: { steps: [] } }, convergence_target: second }
  - { name: second, type: planning, dependencies: [first], goal: Count, planner: { kind: fixed, fragment: { steps: [] } }, convergence_target: end }
  - { name: end, type: deferred, dependencies: [second] }
`;

const files = (more: Readonly<Record<string, string>> = {}) => ({ 'plan.json': JSON.stringify(plan), ...more });

describe('plan review', () => {
  it('accepts a plan, describes how it was understood and its bounds, and runs nothing', async () => {
    const cwd = openDoor(files());
    const { code, stdout } = await call(['plan', 'review', 'plan.json'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('plan.json at plan: accepted (2 steps, the critic gives it 10 of 10)');
    expect(stdout).toContain('understood: "tasks" for "steps"');
    expect(stdout).toMatch(/steps +2 +98/);
    expect((await call(['runs', '--json'], { cwd })).stdout).not.toContain('mission');
  });

  it('rejects a plan with the places of its issues in the file', async () => {
    const broken = { plan: { tasks: [plan.tasks[0], { id: 'b', tool: 'nothing.known', args: {} }] } };
    const cwd = openDoor({ 'plan.json': JSON.stringify(broken, null, 2) });
    const { code, stderr, stdout } = await call(['plan', 'review', 'plan.json'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^plan\.json:11:17: error FRAGMENT_UNKNOWN_CAPABILITY/m);
    expect(stdout).toContain('rejected');
  });

  it('reads calls in Python, in a file and in an answer, and points at their lines', async () => {
    const cwd = openDoor({
      'calls.py': 'a = text.count(path="a.txt")\ntext.cuont(path=a["words"])\n',
      'answer.md': 'The plan:\n```python\na = text.count(path=b)\n```\n',
      'words.txt': 'First I count.\n',
      'none.py': 'x = 5\n',
    });
    const review = async (name: string) => {
      const { code, stdout, stderr } = await call(['plan', 'review', name], { cwd });
      return { code, said: `${stderr}${stdout}` };
    };
    const [file, answer, words, none] = await Promise.all(
      ['calls.py', 'answer.md', 'words.txt', 'none.py'].map((name) => review(name)),
    );
    expect(file?.said).toMatch(/^calls\.py:2:1: error FRAGMENT_UNKNOWN_CAPABILITY/m);
    expect(answer?.said).toMatch(/^answer\.md:3:21: error CALL_NAME_UNKNOWN/m);
    expect(words).toMatchObject({ code: 1, said: expect.stringContaining('FRAGMENT_UNREADABLE') });
    expect(none?.said).toMatch(/^none\.py:1:1: error FRAGMENT_UNREADABLE: the file has no calls/m);
  });

  it('checks a plan against a planning step of a template', async () => {
    const cwd = openDoor(files({ 'two.yaml': template }));
    const judged = await call(['plan', 'review', 'plan.json', '--template', 'two.yaml', '--at', 'second'], { cwd });
    expect(judged.stdout).toContain('plan.json at second: accepted');
    const unsaid = await call(['plan', 'review', 'plan.json', '--template', 'two.yaml'], { cwd });
    expect([unsaid.code, unsaid.stderr]).toEqual([
      2,
      expect.stringContaining('name the planning step with --at: first, second'),
    ]);
    const unknown = await call(['plan', 'review', 'plan.json', '--template', 'two.yaml', '--at', 'frist'], { cwd });
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('did you mean "first"?')]);
  });

  it('reads the answer of a model, in fences and from standard input', async () => {
    const answer = `Here is the plan:\n\`\`\`json\n${JSON.stringify(plan)}\n\`\`\`\n`;
    const cwd = openDoor({ 'reply.md': answer });
    expect((await call(['plan', 'review', 'reply.md'], { cwd })).stdout).toContain('understood: fenced text');
    const reasoned = openDoor({ 'reply.md': `Maybe {"steps": []}?\n</think>\n${answer}` });
    const { stdout } = await call(['plan', 'review', 'reply.md'], { cwd: reasoned });
    expect(stdout).toMatch(/understood: reasoning around the plan\nunderstood: fenced text/);
  });

  it('reads YAML in fences, and points into the file around it', async () => {
    const text = 'Do it so:\n\n```yaml\nsteps:\n  - name: a\n    tool: nothing.known\n```\nThat: is all.\n';
    const { code, stdout, stderr } = await call(['plan', 'review', 'a.md'], { cwd: openDoor({ 'a.md': text }) });
    expect([code, stdout]).toEqual([1, expect.stringContaining('understood: fenced text')]);
    expect(stderr).toMatch(/^a\.md:6:11: error FRAGMENT_UNKNOWN_CAPABILITY/m);
    const twice = await call(['plan', 'review', 'a.md'], { cwd: openDoor({ 'a.md': text + text }) });
    expect([twice.code, twice.stdout]).toEqual([1, expect.stringContaining('understood: the last of 2 plans')]);
    expect(twice.stderr).toMatch(/^a\.md:14:11: error/m);
    const cut = { 'a.md': 'So:\n```yaml\nsteps: [\n```\n' };
    const broken = await call(['plan', 'review', 'a.md'], { cwd: openDoor(cut) });
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringMatching(/^a\.md:\d+:\d+: error YAML_\w+/m)]);
  });

  it.each([
    ['{"impossible": "no"}', 'it says that the goal is impossible'],
    ['just words', '"just" is no value of JSON'],
    ['{"steps": [', 'this "[" is never closed'],
  ])('says that %s is no plan', async (text, why) => {
    const { code, stderr } = await call(['plan', 'review', 'x.json'], { cwd: openDoor({ 'x.json': text }) });
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
  });

  it.each(['accepted', 'rejected'])('answers --json with the documented shape: %s', async (which) => {
    const text = which === 'accepted' ? JSON.stringify(plan) : '[{"id": "a", "colour": "red"}]';
    const { code, stdout } = await call(['plan', 'review', 'p.json', '--json'], { cwd: openDoor({ 'p.json': text }) });
    const answer = JSON.parse(stdout);
    expect([code, answer.accepted]).toEqual(which === 'accepted' ? [0, true] : [1, false]);
  });

  it('lets the critic compare the mission with the plan, strictly on request', async () => {
    const cwd = openDoor(files());
    const words = ['plan', 'review', 'plan.json', '--mission', 'Count the customers'];
    const { code, stdout, stderr } = await call(words, { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining('warning CRITIC_GOAL_UNCOVERED')]);
    expect(stdout).toContain('9 of 10');
    expect((await call([...words, '--critic', 'strict'], { cwd })).code).toBe(1);
    expect((await call([...words, '--critic', 'off'], { cwd })).stderr).toBe('');
  });
});

describe('plan run', () => {
  it('runs a plan to its end', async () => {
    const cwd = openDoor(files());
    const { code, stdout } = await call(['plan', 'run', 'plan.json', '--quiet'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed mission: 4 of 4 steps')]);
    expect((await call(['show', 'latest', '--result', 'two'], { cwd })).stdout.trim()).toBe('2');
  });

  it('starts nothing for a rejected plan', async () => {
    const cwd = openDoor({ 'plan.json': '[{"id": "a", "tool": "nothing.known"}]' });
    const { code, stderr } = await call(['plan', 'run', 'plan.json'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('plan.json:1:22: error FRAGMENT_UNKNOWN_CAPABILITY')]);
    expect((await call(['runs', '--json'], { cwd })).stdout).not.toContain('mission');
  });

  it('accepts existing results from arguments or from a file', async () => {
    const cwd = openDoor(files({ 'known.json': '{"one": 41}' }));
    for (const known of ['{"one": 41}', 'known.json', '@known.json']) {
      const { code } = await call(['plan', 'run', 'plan.json', '--quiet', '--initial-results', known], { cwd });
      expect(code).toBe(0);
      expect((await call(['show', 'latest', '--result', 'two'], { cwd })).stdout.trim()).toBe('42');
    }
    const wrong = await call(['plan', 'run', 'plan.json', '--initial-results', '{"oen": 1}'], { cwd });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^error GIVEN_STEP_UNKNOWN/)]);
    expect(wrong.stderr).toContain('did you mean "one"?');
  });

  it('shows the given and the reused results, and how the plan was understood', async () => {
    const steps = [
      { id: 'one', tool: 'text.count', args: { path: 'notes.txt' } },
      { id: 'two', type: 'compute', expr: '(inc (get-in data/results ["one" "words"]))' },
    ];
    const cwd = openDoor({ 'plan.json': JSON.stringify(steps), 'notes.txt': 'one two three' });
    const run = ['plan', 'run', 'plan.json', '--root', '.', '--quiet'];
    await call([...run, '--initial-results', '{"two": 9}'], { cwd });
    expect((await call(['show', 'latest'], { cwd })).stdout).toMatch(/two {2}resolved by/);
    expect((await call(['why', 'latest', 'two'], { cwd })).stdout).toContain('given when the run was started');
    expect((await call([...run, '--reuse', 'latest'], { cwd })).code).toBe(0);
    expect((await call(['show', 'latest'], { cwd })).stdout).toMatch(/one {2}adopted from plan\.1\/one of run \w+/);
    const { stdout } = await call(['show', 'latest', '--json'], { cwd });
    expect(JSON.parse(stdout).tree[0].steps[0].adopted).toMatchObject({ from: 'plan.1/one' });
    expect(JSON.parse((await call(['why', 'latest', 'plan', '--json'], { cwd })).stdout).understood).toEqual([
      'a list without "steps" around it',
      '"id" for "name"',
      '"args" for "input"',
    ]);
  });

  it.each([
    [['gone.json'], 2, /gone\.json cannot be read: there is no such file/],
    [['.'], 2, /\. cannot be read: it is a folder/],
    [['empty.json'], 1, /empty\.json:1:1: error JSON_SYNTAX/],
    [['plan.json', '--reuse', 'nobody'], 1, /RUN_UNKNOWN/],
    [['plan.json', '--replay', 'gone.json'], 1, /CASSETTE_UNREADABLE/],
    [['plan.json', '--initial-results', '{"one":'], 2, /--initial-results is not JSON/],
    [['plan.json', '--initial-results', '[1]'], 2, /--initial-results is not a JSON object/],
  ])('starts nothing with %j', async (words, code, says) => {
    const cwd = openDoor(files({ 'empty.json': '' }));
    const ended = await call(['plan', 'run', ...words], { cwd });
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(says)]);
    const runs = await call(['runs', '--json'], { cwd });
    expect(runs.stdout).not.toContain('mission');
  });

  it('answers --json with the issues of a rejected plan', async () => {
    const cwd = openDoor({ 'plan.json': '[{"id": "a", "tool": "nothing.known"}]' });
    const { code, stdout } = await call(['plan', 'run', 'plan.json', '--json'], { cwd });
    expect([code, JSON.parse(stdout).issues]).toEqual([
      1,
      [expect.objectContaining({ code: 'FRAGMENT_UNKNOWN_CAPABILITY', path: [0, 'tool'] })],
    ]);
  });

  it('stops at the first failure by default, and keeps going on request', async () => {
    const failing = [
      { id: 'bad', type: 'compute', expr: '(/ 1 0)' },
      { id: 'asks', type: 'human_review', prompt: 'May the rest go on now?' },
    ];
    const cwd = openDoor({ 'plan.json': JSON.stringify(failing) });
    expect((await call(['plan', 'run', 'plan.json', '--quiet'], { cwd })).code).toBe(1);
    expect((await call(['plan', 'run', 'plan.json', '--quiet', '--keep-going'], { cwd })).code).toBe(3);
  });

  it('rejects a plan that exceeds the budget, and accepts it with a larger --budget', async () => {
    const many = Array.from({ length: 120 }, (_, index) => ({ id: `s${index}`, type: 'compute', expr: '1' }));
    const cwd = openDoor({ 'plan.json': JSON.stringify(many) });
    const refused = await call(['plan', 'run', 'plan.json'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('BUDGET_EXCEEDED')]);
    const words = ['plan', 'run', 'plan.json', '--quiet', '--budget', 'max_total_steps=200'];
    expect((await call(words, { cwd })).code).toBe(0);
    const misspelt = await call(['plan', 'run', 'plan.json', '--budget', 'max_stpes=3'], { cwd });
    expect([misspelt.code, misspelt.stderr]).toEqual([
      1,
      expect.stringContaining('"max_stpes" is not a key of "budget"'),
    ]);
  });

  it('answers --json with events and then the report', async () => {
    const { stdout } = await call(['plan', 'run', 'plan.json', '--json'], { cwd: openDoor(files()) });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1).report.output).toEqual({ two: 2 });
  });
});
