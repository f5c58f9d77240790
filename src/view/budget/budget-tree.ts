// A run's accounts as a tree: limits, spent, reserved and remaining amounts; with failed and assumed charges, and phases.

import { counted } from '../../base/counted.ts';
import { defined } from '../../base/json.ts';
import { type Amount, type LimitedResource, limitable, plus, quantity } from '../../budget/amount.ts';
import { elapsedAt } from '../../budget/clock.ts';
import { shownAmount, shownRow } from '../../budget/display-figures.ts';
import { type Account, accountChain, remaining } from '../../budget/ledger.ts';
import { limitText } from '../../budget/limit-text.ts';
import type { Budget } from '../../budget/limits.ts';
import { timeLeft } from '../../engine/state/deadline.ts';
import { exhaustionText } from '../../engine/state/exhaustion.ts';
import { landingTime } from '../../engine/state/landing-set.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { RUN_ACCOUNT } from '../../engine/state/state.ts';
import { amountText } from '../amount-text.ts';
import { type History, wasted } from '../history.ts';
import { type Line, type Span, span } from '../line.ts';
import { table } from '../table.ts';

interface BudgetRow {
  readonly resource: LimitedResource | 'time';
  readonly limit?: number;
  /** The template's limit, if it was raised. */
  readonly before?: number;
  readonly spent: number;
  readonly reserved: number;
  /** The least remainder of this account and those above it. */
  readonly remaining?: number;
  /** The account above whose remainder is less than this account's own. */
  readonly within?: string;
  /** The part of the remainder that only the landing set may use. */
  readonly landing: number;
}

export interface BudgetAccount {
  readonly account: string;
  readonly overdrawn: boolean;
  /** The exhausted limit in words. */
  readonly exhausted?: string;
  /** The open gate that asks about the limit. */
  readonly asked?: string;
  readonly rows: readonly BudgetRow[];
  readonly accounts: readonly BudgetAccount[];
}

export interface BudgetTree {
  readonly run: BudgetAccount;
  /** The use of each planning step's fragment, without nested fragments. */
  readonly phases: readonly { readonly planner: string; readonly steps: number; readonly spent: Amount }[];
  /** The use of each model, with failed requests. */
  readonly models: readonly { readonly model: string; readonly asks: number; readonly spent: Amount }[];
  readonly failed: Amount;
  readonly assumed: Amount;
}

export function budgetTree(state: RunView, history: History): BudgetTree {
  return {
    run: accountTree(state, RUN_ACCOUNT),
    phases: phaseShares(state, history),
    models: modelShares(history),
    ...wasted(history),
  };
}

/** For machines: money in dollars, time in seconds. */
export function shownBudget({ run, phases, models, failed, assumed }: BudgetTree): BudgetTree {
  return {
    run: shownAccount(run),
    phases: phases.map((each) => ({ ...each, spent: shownAmount(each.spent) })),
    models: models.map((each) => ({ ...each, spent: shownAmount(each.spent) })),
    failed: shownAmount(failed),
    assumed: shownAmount(assumed),
  };
}

function shownAccount({ rows, accounts, ...account }: BudgetAccount): BudgetAccount {
  const figures = ['limit', 'before', 'spent', 'reserved', 'remaining', 'landing'] as const;
  return { ...account, rows: rows.map((row) => shownRow(row, figures)), accounts: accounts.map(shownAccount) };
}

function accountTree(state: RunView, id: string): BudgetAccount {
  const accounts = [...state.ledger.accounts.values()];
  const found = state.ledger.accounts.get(id);
  const gate = state.gates.get(state.asking.get(id) ?? '');
  const reached = state.exhausted.get(id) ?? gate?.exhaustion;
  return {
    account: id,
    overdrawn: found?.overdrawn ?? false,
    ...defined({
      exhausted: reached === undefined ? undefined : exhaustionText(reached),
      asked: gate?.id,
    }),
    rows: found === undefined ? [] : [...rowsOf(state, found), ...timeRow(state, found)],
    accounts: accounts.filter(({ parent }) => parent?.id === id).map((child) => accountTree(state, child.id)),
  };
}

function rowsOf(state: RunView, account: Account): BudgetRow[] {
  const written = writtenFor(state, account);
  return limitable.flatMap((resource) => {
    const limit = account.limit[resource];
    const spent = quantity(account.spent, resource);
    const reserved = quantity(account.reserved, resource);
    if (limit === undefined && spent + reserved === 0) return [];
    const landing = account.landing[resource] ?? 0;
    const capped = limit === undefined ? {} : { limit, ...was(limit, written?.limit[resource]) };
    return [
      { resource, spent, reserved, landing, ...capped, ...leastOf(state, account, (of) => remaining(of, resource)) },
    ];
  });
}

function writtenFor({ template, steps }: RunView, { id }: Account): Budget | undefined {
  return id === RUN_ACCOUNT ? template.budget : steps.get(id)?.spec.budget;
}

function was(limit: number, before: number | undefined): { readonly before?: number } {
  return defined({ before: before === limit ? undefined : before });
}

function leastOf(
  { ledger }: RunView,
  { id }: Account,
  leftOf: (of: Account) => number,
): Pick<BudgetRow, 'remaining' | 'within'> {
  const [own, ...above] = accountChain(ledger, id).map((each) => ({ id: each.id, left: leftOf(each) }));
  if (own === undefined) return {};
  const least = above.reduce((best, each) => (each.left < best.left ? each : best), own);
  if (!Number.isFinite(least.left)) return {};
  return { remaining: least.left, ...(least === own ? {} : { within: least.id }) };
}

function timeRow(state: RunView, account: Account): readonly BudgetRow[] {
  const { clock } = account;
  if (clock === undefined) return [];
  return [
    {
      resource: 'time',
      limit: clock.limit,
      ...was(clock.limit, writtenFor(state, account)?.wallClock),
      spent: elapsedAt(clock, state.at),
      reserved: 0,
      ...leastOf(state, account, (of) => Math.max(0, timeLeft(state, of, state.at, true))),
      landing: landingTime(state, account),
    },
  ];
}

function modelShares(history: History): BudgetTree['models'] {
  const shares = new Map<string, { asks: number; spent: Amount }>();
  const calls = [...history.values()].flatMap(({ attempts }) => attempts.flatMap((attempt) => attempt.calls));
  for (const { kind, name, bill = {} } of calls) {
    if (kind !== 'model') continue;
    const { asks, spent } = shares.get(name) ?? { asks: 0, spent: {} };
    shares.set(name, { asks: asks + 1, spent: plus(spent, bill) });
  }
  return [...shares].map(([model, share]) => ({ model, ...share }));
}

function phaseShares(state: RunView, history: History): BudgetTree['phases'] {
  return [...state.phases.values()].map(({ planner, steps }) => ({
    planner,
    steps: steps.length,
    spent: [planner, ...steps]
      .flatMap((step) => [step, ...(state.steps.get(step)?.expanded ?? [])])
      .flatMap((step) => history.get(step)?.attempts ?? [])
      .reduce<Amount>((sum, { bill = {} }) => plus(sum, bill), {}),
  }));
}

export function budgetText(tree: BudgetTree): readonly Line[] {
  return [
    ...table(
      [
        { title: 'account' },
        { title: 'resource' },
        { title: 'limit', align: 'right' },
        { title: 'spent', align: 'right' },
        { title: 'reserved', align: 'right' },
        { title: 'remaining', align: 'right' },
        { title: 'for landing', align: 'right' },
      ],
      accountRows(tree.run, 0),
    ),
    ...exhaustedLines(tree.run),
    ...tree.phases.map(({ planner, steps, spent }) => [
      span(`phase ${planner}: ${counted(steps, 'step')}, ${amountText(spent)}`),
    ]),
    ...tree.models.map(({ model, asks, spent }) => [
      span(`model ${model}: asked ${asks === 1 ? 'once' : `${asks} times`}: ${amountText(spent)}`),
    ]),
    [span(`failed attempts: ${amountText(tree.failed)}`), span(`; assumed for lost ones: ${amountText(tree.assumed)}`)],
  ];
}

function accountRows({ account, rows, accounts }: BudgetAccount, depth: number): readonly (readonly Span[])[] {
  const own = rows.map((row, index) => {
    const text = (value: number | undefined): string => (value === undefined ? '-' : limitText(row.resource, value));
    const name = index === 0 ? '  '.repeat(depth) + account : '';
    const limit = text(row.limit) + (row.before === undefined ? '' : ` (was ${text(row.before)})`);
    const left = text(row.remaining) + (row.within === undefined ? '' : ` (${row.within})`);
    return [
      span(name, 'strong'),
      span(row.resource),
      span(limit),
      span(text(row.spent)),
      span(text(row.reserved)),
      row.remaining === 0 && row.spent > 0 ? span(left, 'warn') : span(left),
      row.landing === 0 ? span('-') : span(text(row.landing)),
    ];
  });
  return [...own, ...accounts.flatMap((child) => accountRows(child, depth + 1))];
}

function exhaustedLines({ account, overdrawn, exhausted, asked, accounts }: BudgetAccount): readonly Line[] {
  return [
    ...(exhausted === undefined ? [] : [[metSpan(exhausted, asked)]]),
    ...(overdrawn ? [[span(`${account} is overdrawn: more was billed than was reserved`, 'bad')]] : []),
    ...accounts.flatMap(exhaustedLines),
  ];
}

function metSpan(met: string, asked: string | undefined): Span {
  return asked === undefined ? span(`exhausted: ${met}`, 'bad') : span(`asked about in ${asked}: ${met}`, 'warn');
}
