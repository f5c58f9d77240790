// doctor --models asks a small real model.
import { describe, expect, it } from 'vitest';
import { project, reconverge } from '../cli/reconverge.ts';
import { finishOf, tapped, tokensOf } from './tapped.ts';

interface DoctorAnswer {
  readonly models: readonly {
    readonly profile: string;
    readonly usable: boolean;
    readonly questions: readonly { readonly question: string; readonly outcome: string }[];
    readonly tokens_in: number;
    readonly tokens_out: number;
  }[];
}

describe('doctor --models', () => {
  it('asks the local model one question of each kind, and reports the tokens that the server counted', async () => {
    await using model = await tapped();
    const profile = `{ model: ${model.model}, base_url: "${model.baseUrl}", prices: { input: $0, output: $0 }, max_output_tokens: 40 }`;
    const greet = '{ name: greet, agent: default, description: Say hello. }';
    const cwd = project({
      'greet.yaml': `reconverge: 1\nname: greet\nmodels: { default: ${profile} }\nsteps: [${greet}]\n`,
    });
    const words = ['doctor', '--models', 'default', 'greet.yaml', '--json'];
    const { stdout } = await reconverge(words, { cwd, isSource: true });
    const { models } = JSON.parse(stdout) as DoctorAnswer;
    const [asked] = models;
    const { input, output } = tokensOf(model.exchanges);
    expect(models).toHaveLength(1);
    expect(asked).toMatchObject({ profile: 'default', usable: true, tokens_in: input, tokens_out: output });
    const questions = asked?.questions.map(({ question }) => question);
    expect(questions).toEqual(expect.arrayContaining(['text', 'JSON', 'tools', 'stream']));
    expect(model.exchanges.some(({ request }) => request.stream === true)).toBe(true);
    expect(model.exchanges.some(({ request }) => request.tools !== undefined)).toBe(true);
    expect(model.exchanges.map(finishOf).every((reason) => reason !== undefined)).toBe(true);
  });
});
