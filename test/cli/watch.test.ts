// `--watch`: a screen shows what models write while they write it, and every other output stays as it is.
import { describe, expect, it } from 'vitest';
import { type HeldModel, openHeldModel } from './held-model.ts';
import { atTerminal, hasScript } from './pty.ts';
import { project, reconverge } from './reconverge.ts';

const template = `reconverge: 1
name: story
models:
  default:
    model: small
    base_url: "\${env.MODEL_URL}"
    api_key: "\${secret.HARBOR_KEY}"
    prices: { input: $1, output: $1 }
    max_retries: 1
steps:
  - { name: tell, agent: default, description: Tell a story. }
`;

async function storyProject(): Promise<{
  readonly model: HeldModel;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}> {
  const model = await openHeldModel();
  return { model, cwd: project({ 'story.yaml': template }), env: { MODEL_URL: model.url, HARBOR_KEY: 'hb-0815-4711' } };
}

describe.skipIf(!hasScript)('run --watch at a terminal', () => {
  it('shows an answer while it is written, without reasoning, secrets and control characters, wherever it is cut', async () => {
    const { model, cwd, env } = await storyProject();
    const request = model.next();
    const pieces = [
      '<thi',
      'nk>They want RRR.</th',
      'ink>The key is hb-0815',
      '-4711, and ',
      '\u001b[31mthere was a harbor, ',
    ];
    void request.then((held) => pieces.forEach(held.say));
    const finish = async (): Promise<void> => {
      const held = await request;
      held.say('and it was open all day.');
      held.end();
    };
    const talk = [['there was a harbor', () => void finish()]] as const;
    const { code, seen, lines } = await atTerminal(cwd, ['run', 'story.yaml', '--watch'], { talk, columns: 100, env });
    expect(code).toBe(0);
    expect(lines.join('\n')).toContain('tell  model default (turn)');
    expect(seen).not.toContain('RRR');
    expect(seen).toContain('The key is ***, and');
    expect(seen).not.toMatch(/hb-|0815|4711/);
    expect(seen).not.toContain('\u001b[31mthere');
    // At the end, the tree stands alone.
    const last = lines.slice(lines.findLastIndex((line) => /tell/.test(line) && /✓/.test(line)));
    expect(last.join('\n')).not.toContain('  tell  model default (turn)');
  });

  it('is needed for that: otherwise nothing is streamed', async () => {
    const { model, cwd, env } = await storyProject();
    void model.next().then((held) => {
      expect(held.body).not.toContain('"stream":true');
      held.reply({ content: 'Once upon a time.' });
    });
    const { code, lines } = await atTerminal(cwd, ['run', 'story.yaml'], { columns: 100, env });
    expect(code).toBe(0);
    expect(lines.join('\n')).not.toContain('  tell  model default (turn)');
  });
});

it.each([[[]], [['--json']], [['--quiet']]])(
  'run --watch asks for no stream where nothing is drawn, with %j',
  async (flags) => {
    const { model, cwd, env } = await storyProject();
    const bodies: string[] = [];
    void model.next().then((held) => {
      bodies.push(held.body);
      held.reply({ content: 'Once upon a time.' });
    });
    const { code } = await reconverge(['run', 'story.yaml', '--watch', ...flags], { cwd, env });
    expect(code).toBe(0);
    expect(bodies).toEqual([expect.not.stringContaining('"stream":true')]);
  },
);

describe('a stream that stalls', () => {
  it('ends the request with the reason, is charged by an estimate, and is asked again', async () => {
    const { model, env } = await storyProject();
    const text = template.replace('max_retries: 1', 'max_retries: 1\n    stream: true\n    stall_timeout: 50ms');
    const folder = project({ 'story.yaml': text });
    const ended = reconverge(['run', 'story.yaml'], { cwd: folder, env });
    const first = await model.next();
    first.say('Once upon a time ');
    const second = await model.next();
    second.say('It was open.');
    second.end();
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /call\.ended +tell +call 1\.1 +MODEL_TIMEOUT: .*its stream was silent for 50ms \(stall_timeout\)/,
    );
    expect(stdout).toContain('2 of 10 LLM calls');
    const why = await reconverge(['why', 'latest', 'tell'], { cwd: folder });
    expect(why.stdout).toMatch(/call 1\.1 .* [1-9]\d* tokens_in, 5 tokens_out, \$[\d.]+: MODEL_TIMEOUT/);
    expect(why.stdout).toMatch(/call 1\.2 /);
  });
});
