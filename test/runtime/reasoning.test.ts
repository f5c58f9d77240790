// Models that write their reasoning into their answers: agents, judges, planners and stored results leave it out.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Script } from '../../src/llm/script.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import { engineOf, good, pathTo } from './set-up.ts';

const head =
  'reconverge: 1\nname: reasons\nmodels: { default: { model: scripted, prices: { input: $1, output: $1 } } }\n';

async function running(steps: string, script: Script, record?: string) {
  writeFileSync(pathTo('template.yaml'), `${head}steps:\n${steps}`);
  const model = scriptedModel(script);
  const engine = engineOf({ models: { default: model } });
  const loaded = good(await engine.load('template.yaml'));
  const report = await good(await engine.start(loaded, record === undefined ? {} : { record: pathTo(record) })).done;
  return { engine, loaded, model, report };
}

const agent = '  - { name: say, agent: default, description: Say it., input: { n: 1 } }\n';

describe('a model that reasons in its answer', () => {
  it('has its reasoning removed from the answer and from the stored events', async () => {
    const { report, engine } = await running(agent, [
      { reply: { text: '<think>a secret draft</think>\n\nWe sold 42.' } },
    ]);
    expect(report.output).toEqual({ say: 'We sold 42.' });
    const view = good(await engine.read(report.run));
    expect(JSON.stringify(view)).not.toContain('secret draft');
  });

  it('is asked again when its answer holds nothing but reasoning', async () => {
    const { model } = await running(agent, [{ reply: { text: '<think>hm' } }, { reply: { text: 'Done.' } }]);
    expect(model.asked[1]?.messages.at(-1)?.content).toBe('your answer was empty after its reasoning');
  });

  it('judges by the last verdict of its answer, and gets twice the output tokens after a cut verdict', async () => {
    const judged = agent.replace(' }\n', ', judge: true }\n');
    const { report, model } = await running(judged, [
      { reply: { text: 'We sold 42.' } },
      { reply: { text: '<think>Is it right', finish: 'length' } },
      {
        reply: {
          text: '<think>Maybe {"passes": false, "diagnosis": "x"}.</think>My verdict:\n```json\n{"passes": True, "diagnosis": "",}\n```',
        },
      },
    ]);
    expect(report.output).toEqual({ say: 'We sold 42.' });
    expect(model.asked.slice(1).map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([2_000, 4_000]);
    expect(model.asked[2]?.messages.at(-1)?.content).toContain('cut off before it began');
  });

  it('plans by the last fragment of its answer', async () => {
    const planning = `  - { name: plan, type: planning, planner: { kind: llm }, goal: Do the work., convergence_target: end }
  - { name: end, type: deferred, dependencies: [plan] }\n`;
    const { report, model } = await running(planning, [
      { reply: { text: 'First I call {"tool": "work"}.' } },
      {
        reply: {
          text: 'I need <step>s.\n</think>Draft: {"steps": []}. Final: {"rationale": "one", "steps": [{"name": "do_it", "capability": "work",}]}',
        },
      },
    ]);
    expect(report.status).toBe('completed');
    expect(model.asked[1]?.messages.at(-1)?.content).toBe(
      'Your answer was read as "{\\"tool\\":\\"work\\"}", and that is no fragment: the reply is a map without a list of steps. Answer with the fragment as JSON and nothing else.',
    );
  });

  it('is replayed from a cassette with the same answer', async () => {
    const script: Script = [{ reply: { text: '<think>a draft</think>We sold 42.' } }];
    const { engine, loaded, report } = await running(agent, script, 'tape.json');
    expect(readFileSync(pathTo('tape.json'), 'utf8')).toContain('a draft');
    const again = await good(await engine.start(loaded, { replay: pathTo('tape.json') })).done;
    expect([report.output, again.output]).toEqual([{ say: 'We sold 42.' }, { say: 'We sold 42.' }]);
  });
});
