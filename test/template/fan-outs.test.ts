// Fan-outs as authors write them: what they fill in, what their items see, what their result is.
import { describe, expect, it } from 'vitest';
import { findings, template } from './given-steps.ts';

const list = '  - { name: list, handler: files.list, input: { folder: x } }\n';
const map = (fields: string, more = '') =>
  `${list}  - { name: map, type: fan_out, for_each: "{{ results.list.files }}", ${fields} }\n${more}`;
const sniff = 'do: { handler: csv.sniff, input: { path: "{{ item }}" } }';

const use = (value: string) => `  - { name: use, handler: csv.sniff, input: { path: "${value}" } }\n`;

describe('a fan-out', () => {
  it('has the width max_fan_out, continues after a failure, and gives its name to its item step', () => {
    expect(template(map(sniff)).steps[1]).toMatchObject({
      dependencies: ['list'],
      implied: ['list'],
      fanOut: {
        do: { name: 'map', type: 'task', capability: 'csv.sniff', dependencies: ['list'] },
        forEach: '{{ results.list.files }}',
        maxWidth: 10,
        failureStrategy: 'continue_on_failure',
      },
    });
    expect(template(map(sniff), 'budget: { max_fan_out: 4 }').steps[1]?.fanOut?.maxWidth).toBe(4);
    const said = template(
      map(`max_width: 30, batch_size: 5, failure_strategy: fail_fast, do: { handler: report.write }`),
    ).steps[1]?.fanOut;
    expect(said).toMatchObject({ maxWidth: 30, batchSize: 5, failureStrategy: 'fail_fast' });
  });

  it('accepts aliases of keys in its item step', () => {
    const [, step] = template(
      map('do: { name: one, tool: csv.sniff, result_schema: "{rows :int}", input: { path: a } }'),
    ).steps;
    expect(step?.fanOut?.do).toMatchObject({ name: 'one', capability: 'csv.sniff', output: { type: 'object' } });
    expect(findings(map('do: { tool: csv.sniff, handler: csv.sniff, input: { path: a } }'))).toEqual([
      'SHAPE_KEY_REPEATED steps.1.do.handler',
    ]);
  });

  it('depends on the steps that its item step refers to', () => {
    const both = `  - { name: other, handler: files.list, input: { folder: y } }\n${map(
      'do: { type: compute, expr: !lisp "(str data/item (:note (:other data/results)))" }',
    )}`;
    expect(template(both).steps[2]).toMatchObject({
      dependencies: ['list', 'other'],
      fanOut: { do: { dependencies: ['list', 'other'] } },
    });
  });

  it('counts with its whole width in the budget', () => {
    expect(findings(map(`max_width: 9, ${sniff}`), 'budget: { max_total_steps: 10 }')).toEqual([
      'BUDGET_BELOW_TEMPLATE budget.max_total_steps',
    ]);
    expect(findings(map(`max_width: 8, ${sniff}`), 'budget: { max_total_steps: 10 }')).toEqual([]);
    expect(findings(map(`max_width: 99, ${sniff}`))).toEqual(['BUDGET_BELOW_TEMPLATE steps']);
  });

  it('requires a list', () => {
    const over = (value: string) => findings(`${list}  - { name: map, type: fan_out, for_each: ${value}, ${sniff} }\n`);
    expect(over('"{{ results.list }}"')).toEqual(['CONTRACT_MISMATCH steps.1.for_each']);
    expect(over('"{{ results.list.note }}"')).toEqual(['CONTRACT_MISMATCH steps.1.for_each']);
    expect(over('"{{ results.list.flies }}"')).toEqual(['REFERENCE_PATH_UNKNOWN steps.1.for_each']);
    expect(over('{ a: 1 }')).toEqual(['CONTRACT_MISMATCH steps.1.for_each']);
    expect(over('!lisp "(:files (:list data/results))"')).toEqual([]);
  });

  it('has no input, and requires for_each and do', () => {
    expect(findings(map(`input: { a: 1 }, ${sniff}`))).toEqual(['SHAPE_KEY_MISPLACED steps.1.input']);
    expect(findings('  - { name: map, type: fan_out }\n')).toEqual([
      'SHAPE_MISSING_KEY steps.0',
      'SHAPE_MISSING_KEY steps.0',
    ]);
  });
});

describe('an item', () => {
  it('exists only inside a fan-out', () => {
    expect(findings(`${list}${use('{{ item }}')}`)).toContain('REFERENCE_UNKNOWN steps.1.input.path');
    expect(findings('  - { name: a, type: compute, expr: !lisp "data/item" }\n')).toEqual([
      'REFERENCE_UNKNOWN steps.0.expr',
    ]);
    expect(findings(map(`when: !lisp "(some? data/item)", ${sniff}`))).toEqual(['REFERENCE_UNKNOWN steps.1.when']);
  });

  it('has the contract of the items of the list', () => {
    const wrong = 'do: { handler: files.list, input: { folder: x, depth: "{{ item }}" } }';
    expect(findings(map(wrong))).toEqual(['CONTRACT_MISMATCH steps.1.do.input.depth']);
    expect(findings(map('do: { handler: csv.sniff, input: { path: "{{ item.name }}" } }'))).toEqual([
      'REFERENCE_PATH_UNKNOWN steps.1.do.input.path',
    ]);
  });

  it('is a list of items when the fan-out has batches', () => {
    expect(findings(map(`batch_size: 2, ${sniff}`))).toEqual(['CONTRACT_MISMATCH steps.1.do.input.path']);
    expect(findings(map('batch_size: 2, do: { handler: csv.sniff, input: { path: "{{ item.0 }}" } }'))).toEqual([]);
  });

  it('has a step whose capability, contracts and predicates are checked', () => {
    expect(findings(map('do: { handler: csv.snif, input: { path: "{{ item }}" } }'))).toEqual([
      'CAPABILITY_UNKNOWN steps.1.do.handler',
    ]);
    expect(findings(map('do: { handler: csv.sniff }'))).toEqual(['INPUT_MISSING_KEY steps.1.do.input']);
    expect(
      findings(
        map('do: { handler: csv.sniff, input: { path: "{{ item }}" }, verification: "(pos? (:row data/result))" }'),
      ),
    ).toContain('LISP_PATH_UNKNOWN steps.1.do.verification');
    expect(findings(map('do: { handler: csv.sniff, input: { path: "{{ itme }}" } }'))).toEqual([
      'REFERENCE_MALFORMED steps.1.do.input.path',
    ]);
    expect(findings(map('do: { agent: someone }'))).toEqual(['AGENT_UNKNOWN steps.1.do.agent']);
  });

  it('does not depend on its own fan-out', () => {
    expect(findings(map('do: { handler: report.write, input: { of: "{{ results.map }}" } }'))).toEqual([
      'DEPENDENCY_SELF steps.1.do.input.of',
    ]);
  });
});

describe('the result of a fan-out', () => {
  it('has the status of each item', () => {
    expect(findings(map(sniff, use('{{ results.map.0.value.columns }}')))).toEqual([
      'CONTRACT_MISMATCH steps.2.input.path',
    ]);
    expect(findings(map(sniff, use('{{ results.map.0.status }}')))).toEqual([]);
    expect(findings(map(sniff, use('{{ results.map.0.failure.code }}')))).toEqual([]);
    expect(findings(map(sniff, use('{{ results.map.0.rows }}')))).toEqual([
      'REFERENCE_PATH_UNKNOWN steps.2.input.path',
    ]);
  });

  it('is the list of results with fail_fast', () => {
    const fast = `failure_strategy: fail_fast, ${sniff}`;
    expect(findings(map(fast, use('{{ results.map.0.rows }}')))).toEqual(['CONTRACT_MISMATCH steps.2.input.path']);
    expect(findings(map(fast, use('{{ results.map.0.value }}')))).toEqual([
      'REFERENCE_PATH_UNKNOWN steps.2.input.path',
    ]);
  });

  it('may hold null for an item that may be skipped', () => {
    const lists = (fields: string) =>
      `failure_strategy: fail_fast, do: { type: compute, expr: !lisp "data/item", output: { type: string }${fields} }`;
    expect(findings(map(lists(''), use('{{ results.map.0 }}')))).toEqual([]);
    expect(findings(map(lists(', critical: false'), use('{{ results.map.0 }}')))).toEqual([
      'CONTRACT_MISMATCH steps.2.input.path',
    ]);
  });

  it('has the contract of its output', () => {
    const own = `output: { type: array, items: { type: string } }, ${sniff}`;
    expect(findings(map(own, use('{{ results.map.0 }}')))).toEqual([]);
  });

  it('keeps the definitions of the contract of an item', () => {
    const tree = `failure_strategy: fail_fast, do: { type: compute, expr: !lisp "data/item", output: { $ref: "#/$defs/name", $defs: { name: { type: string } } } }`;
    expect(findings(map(tree, use('{{ results.map.0 }}')))).toEqual([]);
  });
});
