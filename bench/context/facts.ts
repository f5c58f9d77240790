// What survives of a result in little room: facts that a next planner would want, by contract, cut off, and summed up generically.
import { estimateTokens } from '../../src/context/tokens.ts';
import { printTable } from '../table.ts';
import { questions } from './questions.ts';
import { resultSets } from './result-sets.ts';
import { byContract, cutOff, summedUp, type Way } from './ways.ts';

const ways: Readonly<Record<string, Way>> = {
  contract: byContract,
  'cut off': cutOff,
  'keys and first items': summedUp,
};
const allowances = [500, 1_000, 2_000, 4_000];

interface Score {
  kept: number;
  tokens: number;
  readonly lost: string[];
}

function score(way: Way, allowance: number, only?: string): Score {
  const total: Score = { kept: 0, tokens: 0, lost: [] };
  for (const set of resultSets) {
    if (only !== undefined && set.name !== only) continue;
    const text = way(set, allowance);
    const isWhole = text === JSON.stringify(set.value);
    total.tokens += estimateTokens(text);
    for (const { asks, told } of questions[set.name] ?? []) {
      if (isWhole || told(text)) total.kept += 1;
      else total.lost.push(`${set.name}: ${asks}`);
    }
  }
  return total;
}

const asked = Object.values(questions).reduce((sum, each) => sum + each.length, 0);
console.log(`${asked} facts about ${resultSets.length} results`);
const names = Object.keys(ways);
const rows = allowances.map((allowance) => {
  const scores = Object.values(ways).map((way) => score(way, allowance));
  const [ours, cut] = scores;
  const ratio = ours === undefined || cut === undefined ? 0 : ours.kept / cut.kept;
  return [
    allowance,
    ...scores.map(
      ({ kept, tokens }) => `${Math.round((100 * kept) / asked)} %, ${((1_000 * kept) / tokens).toFixed(1)}`,
    ),
    `${ratio.toFixed(2)} ×`,
  ];
});
printTable(
  'Facts kept, and facts per 1,000 tokens shown',
  ['tokens for each result', ...names, 'contract ÷ cut off'],
  rows,
);
printTable(
  'Facts kept at 1,000 tokens',
  ['result', 'facts', ...names],
  resultSets.map(({ name }) => [
    name,
    questions[name]?.length ?? 0,
    ...Object.values(ways).map((way) => score(way, 1_000, name).kept),
  ]),
);
if (process.argv.includes('--lost')) {
  for (const allowance of allowances) {
    console.log(`\nby contract, lost at ${allowance}:\n${score(byContract, allowance).lost.join('\n')}`);
  }
}
