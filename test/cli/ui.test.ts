// The inspector in the process of a run: available from the start, still there after the run ends, closed by Ctrl-C.
import { describe, expect, it } from 'vitest';
import { atTheDoor, begin, callsOf, doorProject, openDoor, openThe, type Running, reconverge } from './reconverge.ts';

const asks = `
reconverge: 1
name: asks
capabilities: [./handlers.ts]
steps:
  - name: check
    type: human_review
    prompt: Was he here?
  - name: last
    handler: door.note
    dependencies: [check]
    input: { name: last }
`;

/** The address of the page, as printed on standard error. */
async function pageOf(running: Running): Promise<string> {
  await running.said('/\n');
  const [url = ''] = /http:\S+/.exec(running.stderr()) ?? [];
  return url;
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

describe('run --ui', () => {
  it('serves the page before the first event and after the end of the run, until Ctrl-C', async () => {
    const cwd = doorProject();
    const running = begin(['run', 'plan.yaml', '--ui', '--port', '0'], { cwd });
    const url = await pageOf(running);
    expect(await statusOf(url)).toBe(200);
    const stream = await fetch(`${url}api/stream`);
    openThe(cwd);
    await running.said('goes on serving until Ctrl-C');
    await stream.body?.cancel();
    expect(await statusOf(url)).toBe(200);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^completed door: 6 of 6 steps/);
    await expect(statusOf(url)).rejects.toThrow();
  });

  it('lets people answer in the page, and continues in its own process', async () => {
    const cwd = openDoor({ 'asks.yaml': asks });
    const running = begin(['run', 'asks.yaml', '--ui', '--port', '0'], { cwd });
    const url = await pageOf(running);
    await running.said('g1 waits for an answer: http');
    const [run] = JSON.parse((await reconverge(['runs', '--json'], { cwd })).stdout).runs;
    const answered = await fetch(`${url}api/runs/${run.id}/gates/g1`, {
      method: 'POST',
      headers: { origin: new URL(url).origin, 'content-type': 'application/json' },
      body: '{"verdict":"approve"}',
    });
    expect(await answered.json()).toMatchObject({ ok: true });
    await running.said('goes on serving');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
    expect(callsOf(cwd)).toEqual(['last']);
  });

  it('ends when its run is stopped', async () => {
    const cwd = doorProject();
    const running = await atTheDoor(cwd, ['--ui', '--port', '0']);
    running.child.kill('SIGINT');
    await running.said('stopping');
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).not.toContain('goes on serving');
  });

  it('serves no page if the run cannot start, and starts no run if the page cannot be served', async () => {
    const cwd = openDoor();
    const missing = await reconverge(['resume', 'nowhere', '--ui', '--port', '0'], { cwd, env: {} });
    expect(missing.code).toBe(1);
    const first = begin(['ui', '--port', '0', '--json'], { cwd });
    let said = '';
    first.child.stdout?.on('data', (text: string) => {
      said += text;
    });
    await new Promise((resolve) => first.child.stdout?.once('data', resolve));
    const { port } = new URL(JSON.parse(said).url);
    const taken = await reconverge(['run', 'plan.yaml', '--ui', '--port', port], { cwd });
    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain('PORT_TAKEN');
    expect(JSON.parse((await reconverge(['runs', '--json'], { cwd })).stdout).runs).toEqual([]);
    first.child.kill('SIGTERM');
    await first.ended;
  });
});
