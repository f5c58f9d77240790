// The text of `doctor --models`: what is about to be asked, a line for each answer, and the sum.
import { counted } from '../../base/counted.ts';
import { durationText, moneyText } from '../../base/quantity.ts';
import type { ProbeRow, ProbeSpending } from '../../llm/probe/probe-model.ts';
import { type ProbeOutcome, probeNames } from '../../llm/probe/questions.ts';
import { hanging, type Line, span, type Tone } from '../../view/line.ts';
import type { AskedProfile } from './ask-profile.ts';
import type { ProfileToAsk } from './profiles-to-ask.ts';

const signs: Readonly<Record<ProbeOutcome, readonly [string, Tone]>> = {
  yes: ['✓', 'good'],
  substitute: ['~', 'warn'],
  no: ['✗', 'bad'],
};
const WIDTH = Math.max(...probeNames.map((name) => name.length));

const apiNames = { chat: 'chat completions', responses: 'Responses API' } as const;

export function headLine({ name, profile, file }: ProfileToAsk, server: string): Line {
  const from = file === undefined ? '' : ` (${file})`;
  return [span(name, 'strong'), span(`: ${profile.model} at ${server}${from}`)];
}

export function boundLine(
  { name }: ProfileToAsk,
  { tokensIn, tokensOut, cost }: Pick<ProbeSpending, 'tokensIn' | 'tokensOut' | 'cost'>,
): Line {
  const price = cost === undefined ? '; its price is not known' : ` and ${moneyText(cost)}`;
  const asked = `asking ${name} ${counted(probeNames.length, 'question')}`;
  return [span(`${asked}, which cost at most ${tokensText(tokensIn + tokensOut)}${price}`, 'dim')];
}

export function rowLine({ question, outcome, detail, refused, time }: ProbeRow): Line {
  const [sign, tone] = signs[outcome];
  const more = [durationText(time), ...(refused === 0 ? [] : [counted(refused, 'refusal')])].join(', ');
  return [span(`  ${sign} `, tone), span(`${question.padEnd(WIDTH)}  `), hanging(detail), span(`  ${more}`, 'dim')];
}

export function sumLines({ profile, api, report, refuses, hint }: AskedProfile): readonly Line[] {
  const { spent, reportsUsage, parameters, failure } = report;
  const { requests, tokensIn, tokensOut, time, cost } = spent;
  const isAnswered = report.rows.length > 0;
  const taken = parameters.filter(({ isTaken }) => isTaken).map(({ name }) => name);
  return [
    ...(isAnswered && taken.length > 0
      ? [[span('  ✓ ', 'good'), span(`${'parameters'.padEnd(WIDTH)}  `), hanging(`sent ${taken.join(', ')}`)]]
      : []),
    ...refuses.map(({ what, instead }) => [span('  ~ ', 'warn'), hanging(`it does not take ${what}: ${instead}`)]),
    ...(reportsUsage ? [] : [[span('  ~ ', 'warn'), hanging('it reports no usage: tokens are estimated')]]),
    ...(failure === undefined ? [] : [[span('  ✗ ', 'bad'), hanging(`${failure.code}: ${failure.message}`)]]),
    ...(hint === undefined ? [] : [[span('    hint: '), hanging(hint)]]),
    ...(requests === 0
      ? []
      : [
          [
            span(
              `  ${counted(requests, 'request')} (${profile.provider === 'ai-sdk' ? 'AI SDK' : apiNames[api]}), ${tokensText(tokensIn + tokensOut)}, ${durationText(time)}${cost === undefined ? '' : `, ${moneyText(cost)}`}`,
              'dim',
            ),
          ],
        ]),
  ];
}

function tokensText(tokens: number): string {
  return `${tokens.toLocaleString('en-US')} tokens`;
}
