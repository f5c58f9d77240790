// data.transform: computes a value from data with a Lisp expression.
import { compile } from '../../lisp/program.ts';
import { run } from '../../lisp/run.ts';
import { toJson } from '../../lisp/to-json.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';

export const dataTransform = defineCapability({
  name: 'data.transform',
  description: 'Compute a value from data with a Lisp expression, in which data/input is the data.',
  input: {
    type: 'object',
    required: ['expr', 'data'],
    additionalProperties: false,
    properties: {
      expr: { type: 'string', minLength: 1, description: '(sum-by :total data/input)' },
      data: { description: 'Any value.' },
    },
  },
  effects: ['pure'],
  tags: ['data'],
  cost: { ms: 5 },
  repeat: 'safe',
  run({ expr, data }) {
    const program = compile(expr, { bindings: ['input'] });
    if (!program.ok) {
      const [first] = program.issues;
      const messages = program.issues.map(({ message, hint }) =>
        hint === undefined ? message : `${message}; ${hint}`,
      );
      throw new CapabilityError(first?.code ?? 'LISP_PARSE', messages.join('; '), { retry: 'never' });
    }
    const outcome = run(program.value, { input: data }, { now: () => performance.now() });
    if (!outcome.ok) {
      const { code, message, line, column } = outcome.error;
      throw new CapabilityError(code, `${message} (line ${line}, column ${column})`, { retry: 'never' });
    }
    const answer = toJson(outcome.value);
    if (!answer.ok) throw new CapabilityError(answer.code, answer.message, { retry: 'never' });
    return answer.value;
  },
});
