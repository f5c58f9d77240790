// Templates that compile, and templates that do not: each comment names a part of the message of the compiler for the next line.
// biome-ignore-all format: an error is expected on the line after its comment
import { defineCapability } from '../src/capabilities/capability.ts';
import { defineTemplate } from '../src/runtime/api/define-template.ts';

const price = defineCapability({
  name: 'shop.price',
  description: 'Tells the price of an item.',
  input: '{item :string, limit :int?}',
  output: '{price :float}',
  effects: ['read'],
  run: () => ({ price: 1 }),
});
const own = { capabilities: [price] };
const base = { reconverge: 1, name: 'x', capabilities: ['catalog'] } as const;
const one = { name: 'one', type: 'compute', expr: '1' } as const;

export const right = [
  defineTemplate(
    {
      ...base,
      description: 'Every type of step.',
      input: '{folder :string}',
      output: { list: '{{ results.list.files }}', sum: { $lisp: '(:sum data/results)' } },
      budget: { max_total_steps: 20, max_cost_budget: '$1.50', max_wall_clock_time: '30m', landing_reserve: '10%' },
      models: { default: { model: 'small', prices: { input: '$0', output: 0 } } },
      agents: { scribe: { prompt: 'You write.', tools: ['files.*'], max_turns: 3 } },
      steps: [
        { name: 'list', handler: 'files.list', input: { folder: '{{ input.folder }}', recursive: true } },
        { name: 'price', handler: 'shop.price', input: { item: 'tea', limit: '{{ results.list.count }}' }, after: 'list' },
        { name: 'whole', tool: 'shop.price', input: '{{ results.list }}' },
        { name: 'lisp', capability: 'shop.price', input: { $lisp: '{:item "tea"}' }, timeout: '90s' },
        { name: 'fixed', handler: { callable: 'csv.read', initialization: { path: 'a.csv' } }, input: { take: 5 } },
        { name: 'each', type: 'fan_out', for_each: '{{ results.list.files }}', do: { handler: 'csv.read', input: { path: '{{ item }}' } } },
        { name: 'write', agent: 'scribe', description: 'Write a line', dependencies: ['each', 'price'] },
        { name: 'sum', type: 'compute', expr: { $lisp: '(+ 1 2)' }, retry: { max_attempts: 3, backoff: 'fibonacci', base: '1s' } },
        { name: 'choose', type: 'decision', branches: ['short', 'long'], choose: '"short"', dependencies: ['sum'] },
        { ...one, name: 'short', dependencies: ['choose'] },
        { ...one, name: 'long', dependencies: ['choose'] },
        { name: 'plan', type: 'planning', planner: { kind: 'llm' }, goal: 'Read {{ input.folder }}', convergence_target: 'end' },
        { name: 'ask', type: 'human_review', prompt: 'Is {{ results.sum }} right?', expires_in: '2h', on_expiry: 'reject' },
        { name: 'end', type: 'deferred', dependencies: ['plan', 'ask', 'short', 'long'], convergence: { policy: 'quorum', min: '60%' } },
      ],
    },
    own,
  ),
  // Modules and servers bring capabilities that the compiler does not know.
  defineTemplate({ ...base, capabilities: ['catalog', './own.ts'], steps: [{ name: 'a', handler: 'own.thing', input: { any: 1 } }] }, own),
  defineTemplate({ ...base, capabilities: [{ mcp: { name: 'git', command: 'git-mcp' } }], steps: [{ name: 'a', handler: 'git.log' }] }, own),
  // Without capabilities of the program, those of the engine may have any name.
  defineTemplate({ ...base, steps: [{ name: 'a', handler: 'engine.thing', input: { any: 1 } }] }),
  // Included files bring steps and agents.
  defineTemplate({ ...base, include: './more.yaml', steps: [{ ...one, dependencies: ['elsewhere'] }, { name: 'b', agent: 'other', description: 'x' }] }),
];

// @ts-expect-error: Did you mean to write 'description'?
defineTemplate({ ...base, descripton: 'x', steps: [one] });
// @ts-expect-error: Did you mean to write 'max_total_steps'?
defineTemplate({ ...base, budget: { max_total_step: 3 }, steps: [one] });
// @ts-expect-error: not assignable to type 'number | MoneyText
defineTemplate({ ...base, budget: { max_cost_budget: '5 dollars' }, steps: [one] });
// @ts-expect-error: Property 'name' is missing
defineTemplate({ reconverge: 1, steps: [one] });
// @ts-expect-error: Did you mean '"compute"'?
defineTemplate({ ...base, steps: [{ name: 'a', type: 'compue', expr: '1' }] });
// @ts-expect-error: Did you mean to write 'expr'?
defineTemplate({ ...base, steps: [{ name: 'a', type: 'compute', exprs: '1' }] });
// @ts-expect-error: Property 'expr' is missing
defineTemplate({ ...base, steps: [{ name: 'a', type: 'compute' }] });
// @ts-expect-error: 'prompt' does not exist in type 'ComputeStep
defineTemplate({ ...base, steps: [{ name: 'a', type: 'compute', expr: '1', prompt: 'Right?' }] });
// @ts-expect-error: not assignable to type 'DurationText'
defineTemplate({ ...base, steps: [{ name: 'a', type: 'compute', expr: '1', timeout: '30 sec' }] });
// @ts-expect-error: Property 'handler' is missing
defineTemplate({ ...base, steps: [{ name: 'a' }] });
// @ts-expect-error: a step name has lower-case letters, digits and underscores
defineTemplate({ ...base, steps: [{ name: 'a-b', type: 'compute', expr: '1' }] });
// @ts-expect-error: another step is named \"one\" too
defineTemplate({ ...base, steps: [one, { name: 'one', type: 'compute', expr: '2' }] });
// @ts-expect-error: Did you mean '"fetch"'?
defineTemplate({ ...base, steps: [{ ...one, name: 'fetch' }, { name: 'b', type: 'compute', expr: '1', dependencies: ['fetsh'] }] });
// @ts-expect-error: Did you mean '"finalize"'?
defineTemplate({ ...base, steps: [{ name: 'p', type: 'planning', planner: { kind: 'llm' }, convergence_target: 'finalise' }, { name: 'finalize', type: 'deferred', dependencies: ['p'] }] });
// @ts-expect-error: '"y"' is not assignable to type '"d" | "x"'
defineTemplate({ ...base, steps: [{ name: 'd', type: 'decision', choose: '"x"', branches: ['x', 'y'] }, { ...one, name: 'x', dependencies: ['d'] }] });
// @ts-expect-error: '"writer"' is not assignable to type '"default" | "scribe"'
defineTemplate({ ...base, agents: { scribe: { prompt: 'x' } }, steps: [{ name: 'a', agent: 'writer', description: 'x' }] });
// @ts-expect-error: Did you mean to write 'prompt'?
defineTemplate({ ...base, agents: { scribe: { promt: 'x' } }, steps: [one] });
// @ts-expect-error: Did you mean '"files.list"'?
defineTemplate({ ...base, steps: [{ name: 'a', handler: 'files.lst', input: {} }] }, own);
// @ts-expect-error: Did you mean '"shop.price"'?
defineTemplate({ ...base, steps: [{ name: 'a', handler: { callable: 'shop.prize' } }] }, own);
// @ts-expect-error: Did you mean to write 'folder'?
defineTemplate({ ...base, steps: [{ name: 'a', handler: 'files.list', input: { foldr: 'x' } }] });
// @ts-expect-error: 'number' is not assignable to type 'string | LispDocument'
defineTemplate({ ...base, steps: [{ name: 'a', handler: 'files.list', input: { folder: 7 } }] });
// @ts-expect-error: Property 'input' is missing
defineTemplate({ ...base, steps: [{ name: 'a', handler: 'files.list' }] });
// @ts-expect-error: Property 'item' is missing
defineTemplate({ ...base, steps: [{ name: 'a', handler: 'shop.price', input: { limit: 3 } }] }, own);
// @ts-expect-error: Did you mean to write 'path'?
defineTemplate({ ...base, steps: [{ name: 'a', type: 'fan_out', for_each: '{{ input.x }}', do: { handler: 'csv.read', input: { pat: '{{ item }}' } } }] });
// @ts-expect-error: no step is named \"lst\"
defineTemplate({ ...base, steps: [{ name: 'list', handler: 'files.list', input: { folder: 'x' } }, { name: 'b', handler: 'csv.read', input: { path: '{{ results.lst.files.0 }}' } }] });
// @ts-expect-error: the input has no key \"foldr\"
defineTemplate({ ...base, input: '{folder :string}', steps: [{ name: 'list', handler: 'files.list', input: { folder: 'in/{{ input.foldr }}' } }] });
// @ts-expect-error: no step is named \"two\"
defineTemplate({ ...base, output: '{{ results.two }}', steps: [one] });
