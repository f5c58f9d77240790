// --fail-on-partial: a run that completed in part gets its own exit code, unless another exit code says more.
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { atTheDoor, call, doorProject, openDoor } from './reconverge.ts';

const head = 'reconverge: 1\nname: fall\ncapabilities: [./handlers.ts]\n';
const stumble = '  - { name: stumble, handler: door.fall, input: { name: a } }\n';
const gathered = (more: string): string => `${head}steps:
${stumble}  - { name: write, handler: door.note, input: { name: w } }
${more}  - { name: last, type: deferred, dependencies: [stumble, write${more === '' ? '' : ', ask'}], convergence: { policy: all_settled } }
`;
const ask = '  - { name: ask, type: human_review, prompt: "Go on?" }\n';

const files = {
  'part.yaml': gathered(''),
  'asked.yaml': gathered(ask),
  'whole.yaml': `${head}steps:\n  - { name: write, handler: door.note, input: { name: w } }\n`,
  'failed.yaml': `${head}steps:\n${stumble}`,
};

describe('--fail-on-partial', () => {
  it('turns the exit code 0 of a run that completed in part into 6, and does nothing without the flag', async () => {
    const cwd = openDoor(files);
    const told = await call(['run', 'part.yaml', '--quiet', '--fail-on-partial'], { cwd });
    expect(told.stdout).toContain('partial');
    expect(told.code).toBe(6);
    expect((await call(['run', 'part.yaml', '--quiet'], { cwd })).code).toBe(0);
    expect((await call(['run', 'part.yaml', '--json', '--fail-on-partial'], { cwd })).code).toBe(6);
  });

  it('keeps 0 for a run that completed in full', async () => {
    const { code } = await call(['run', 'whole.yaml', '--quiet', '--fail-on-partial'], { cwd: openDoor(files) });
    expect(code).toBe(0);
  });

  it('gives way to 1 for a failed run and to 4 for a run stopped by its budget', async () => {
    const cwd = openDoor(files);
    expect((await call(['run', 'failed.yaml', '--quiet', '--fail-on-partial'], { cwd })).code).toBe(1);
    const short = ['run', 'plan.yaml', '--quiet', '--fail-on-partial', '--budget', 'max_total_steps=5'];
    const stopped = await call(short, { cwd });
    expect(stopped.stdout).toContain('partial');
    expect(stopped.code).toBe(4);
  });

  it('applies to the order that ends a run: 3 while the run waits for a person, 6 after the answer', async () => {
    const cwd = openDoor(files);
    expect((await call(['run', 'asked.yaml', '--quiet', '--fail-on-partial'], { cwd })).code).toBe(3);
    const answered = await call(['review', 'latest', 'g1', '--approve', '--quiet', '--fail-on-partial'], { cwd });
    expect(answered.code).toBe(6);
  });

  it('applies to a mission with an order that nothing did, which the terminal and --json name', async () => {
    const cwd = openDoor(files);
    const goal = 'Use door.note, name: w, but ask me first';
    await call(['pursue', goal, '--capabilities', 'handlers.ts', '--quiet'], { cwd });
    const refused = ['review', 'latest', 'g1', '--answer', '{"approved": false}', '--fail-on-partial'];
    const told = await call([...refused, '--quiet'], { cwd });
    expect(told.stdout).toContain('partial mission');
    expect(told.stdout).toContain('not done    Use door.note, name: w  plan.1/use_door_note_name_w (door.note)');
    expect(told.code).toBe(6);
    const { partial, orders } = JSON.parse((await call(['show', 'latest', '--json'], { cwd })).stdout);
    expect(partial).toBe(true);
    expect(orders).toMatchObject([{ outcome: 'done' }, { says: 'Use door.note, name: w', outcome: 'not_done' }]);
  });

  it('applies to resume, and gives way to 5 for a cancelled run', async () => {
    const cwd = openDoor(files);
    await call(['run', 'asked.yaml', '--quiet'], { cwd });
    await call(['pause', 'latest', '--quiet'], { cwd });
    await call(['review', 'latest', 'g1', '--approve', '--quiet'], { cwd });
    expect((await call(['resume', 'latest', '--quiet', '--fail-on-partial'], { cwd })).code).toBe(6);
    const door = doorProject();
    const running = await atTheDoor(door, ['--fail-on-partial']);
    await call(['cancel', 'latest', '--quiet'], { cwd: door });
    expect(await running.ended).toMatchObject({ code: 5 });
  });

  it('is taken by every command that drives a run to its end', async () => {
    const taking = await Promise.all(
      commands.map(async ({ name, load }) => {
        const { command } = await load();
        return command.flags.some((flag) => flag.name === '--fail-on-partial') ? [name] : [];
      }),
    );
    expect(taking.flat().toSorted()).toEqual(
      [
        'fork',
        'plan run',
        'pursue',
        'raise-budget',
        'resolve-step',
        'resume',
        'retry-step',
        'review',
        'run',
      ].toSorted(),
    );
  });
});
