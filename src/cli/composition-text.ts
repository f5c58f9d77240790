// A composition as text for people: its calls, and the result of a trial.

import { counted } from '../base/counted.ts';
import type { Json } from '../base/json.ts';
import type { CompositionExplanation } from '../runtime/dry/explain-composition.ts';
import { type Line, span } from '../view/line.ts';
import { table } from '../view/table.ts';
import { contractLines } from './contract-words.ts';

export function compositionText({ declaration, calls, result, played }: CompositionExplanation): readonly Line[] {
  const { name, description, input, output, effects, repeat } = declaration;
  const [changing] = calls.filter(({ changes }) => changes);
  const again = repeat === undefined ? 'it must not be done twice' : 'it may be called again after a crash';
  return [
    [span(name, 'strong'), span(`: ${description}`)],
    [
      span(
        `effects: ${effects.join(' ')}; ${changing === undefined ? 'it changes nothing' : `${changing.call} changes something, as its last call: ${again}`}`,
      ),
    ],
    [],
    [span('It takes:')],
    ...indented(contractLines(input ?? {})),
    [span(`It makes ${counted(calls.length, 'call')}, checked by contract from end to end:`)],
    ...indented(
      table(
        [{ title: '' }, { title: 'calls' }, { title: 'effects' }, { title: 'with' }],
        calls.map((each) => [
          span(each.name, 'strong'),
          span(each.call),
          span(each.effects.join(' '), each.changes ? 'warn' : 'dim'),
          span(shown(each.input)),
        ]),
      ),
    ),
    [span('It answers:')],
    ...indented(contractLines(output ?? {})),
    [span(`  from ${shown(result)}`, 'dim')],
    [],
    ...playLines(played),
  ];
}

function playLines({ input, calls, output, failure }: CompositionExplanation['played']): readonly Line[] {
  return [
    [span(`Played, without any effect, with ${shown(input)}:`)],
    ...(calls.length === 0
      ? []
      : indented(
          table(
            [{ title: '' }, { title: 'was given' }, { title: 'answered' }, { title: 'which is from' }],
            calls.map((each) => [
              span(each.name, 'strong'),
              span(shown(each.input)),
              span(shown(each.output)),
              span(each.from, each.from === 'nothing' ? 'warn' : 'dim'),
            ]),
          ),
        )),
    ...(output === undefined ? [] : [[span(`  the answer: ${shown(output)}`)]]),
    ...(failure === undefined ? [] : [[span(`  it failed: ${failure.code}: ${failure.message}`, 'bad')]]),
  ];
}

function indented(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) => [span('  '), ...line]);
}

const SHOWN = 60;

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
