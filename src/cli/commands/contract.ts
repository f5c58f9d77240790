// contract: tells whether every value of one contract fits another contract.
import { pathText } from '../../base/issue.ts';
import { satisfies } from '../../contract/subtype.ts';
import { span } from '../../view/line.ts';
import type { ContractAnswer } from '../answers/authoring.schema.ts';
import type { Command } from '../command.ts';
import { readContractWord } from '../contract-input.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { refuse } from '../refuse.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [
    { name: 'ACTION', description: 'check.' },
    {
      name: 'PRODUCER',
      description:
        'The contract of the given value: a JSON Schema or a signature, or a file with one (.json, .yaml). Of a signature (…) -> … the output counts.',
    },
    {
      name: 'CONSUMER',
      description: 'The contract of the wanted value, in the same form. Of a signature (…) -> … the input counts.',
    },
  ],
  flags: [jsonFlag],
  examples: [
    {
      command: "reconverge contract check '{id :int, name :string}' '{id :number}'",
      does: 'check whether every value of the first contract fits the second',
    },
    {
      command: 'reconverge contract check answer.schema.json request.schema.json --json',
      does: 'check the contracts in two files',
    },
  ],

  exits: ['done', 'issues', 'usage', 'fault'],
  async run(call) {
    const { given, terminal } = call;
    const [action, ...words] = given.arguments;
    if (action !== 'check')
      throw new UsageError(`there is no contract ${action}; use contract check PRODUCER CONSUMER`);
    const producer = await readContractWord(words[0] ?? '', 'producer');
    if (!producer.ok) return refuse(call, producer.error);
    const consumer = await readContractWord(words[1] ?? '', 'consumer');
    if (!consumer.ok) return refuse(call, consumer.error);
    const verdict = satisfies(producer.value, consumer.value);
    const reasons = verdict.ok ? [] : verdict.error.map(({ path, message }) => ({ path: pathText(path), message }));
    if (given.has('json')) terminal.json({ satisfies: verdict.ok, reasons } satisfies ContractAnswer);
    else if (verdict.ok) terminal.print([[span('satisfies', 'good')]]);
    else {
      terminal.print([
        [span('does not satisfy', 'bad')],
        ...reasons.map(({ path, message }) => [
          span(`  ${path === '' ? 'the value' : path}`, 'strong'),
          span(`: ${message}`),
        ]),
      ]);
    }
    return verdict.ok ? exitCodes.done : exitCodes.issues;
  },
};
