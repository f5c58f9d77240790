// Counts the facts that survive when a result is shrunk by contract, cut off, or summarized generically.
import { estimateTokens } from '../../src/context/tokens.ts';
import { printTable } from '../table.ts';
import { questions } from './questions.ts';
import { type ResultSet, resultSets } from './result-sets.ts';
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

function score(way: Way, allowance: number, sets: readonly ResultSet[]): Score {
  const total: Score = { kept: 0, tokens: 0, lost: [] };
  for (const set of sets) {
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

function countOf(sets: readonly ResultSet[]): number {
  return sets.reduce((sum, { name }) => sum + (questions[name]?.length ?? 0), 0);
}

function byAllowance(sets: readonly ResultSet[]) {
  const asked = countOf(sets);
  return allowances.map((allowance) => {
    const scores = Object.values(ways).map((way) => score(way, allowance, sets));
    const [ours, cut] = scores;
    const ratio = ours === undefined || cut === undefined ? 0 : ours.kept / cut.kept;
    const cells = scores.map(
      ({ kept, tokens }) => `${Math.round((100 * kept) / asked)} %, ${((1_000 * kept) / tokens).toFixed(1)}`,
    );
    return [allowance, ...cells, `${ratio.toFixed(2)} ×`];
  });
}

const names = Object.keys(ways);
const head = ['tokens for each result', ...names, 'contract ÷ cut off'];
const seen = resultSets.filter((set) => !set.heldOut);
const unseen = resultSets.filter((set) => set.heldOut);
printTable(
  `Facts kept, and facts per 1,000 tokens shown: ${countOf(seen)} facts about ${seen.length} results`,
  head,
  byAllowance(seen),
);
printTable(
  `The same of results that were made when the shrinker was done: ${countOf(unseen)} facts about ${unseen.length}`,
  head,
  byAllowance(unseen),
);
printTable(
  'Facts kept at 1,000 tokens',
  ['result', 'facts', ...names],
  resultSets.map((set) => [
    set.name,
    countOf([set]),
    ...Object.values(ways).map((way) => score(way, 1_000, [set]).kept),
  ]),
);
if (process.argv.includes('--lost')) {
  for (const allowance of allowances) {
    console.log(`\nby contract, lost at ${allowance}:\n${score(byContract, allowance, resultSets).lost.join('\n')}`);
  }
}
