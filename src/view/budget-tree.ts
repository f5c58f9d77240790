// A run's accounts as a tree: limits, what is spent, set aside and left; failed and assumed charges and each phase's share apart.
import { type Amount, type Limited, limitable, plus, quantity } from '../budget/amount.ts';
import { type Account, remaining } from '../budget/ledger.ts';
import { exhaustionText } from '../engine/exhaustion.ts';
import { RUN_ACCOUNT, type RunState } from '../engine/state.ts';
import { amountText, quantityText } from './amount-text.ts';
import { type History, wasted } from './history.ts';
import { type Line, type Span, span } from './line.ts';
import { table } from './table.ts';

interface BudgetRow {
  readonly resource: Limited | 'time';
  readonly limit?: number;
  readonly spent: number;
  readonly reserved: number;
  readonly remaining?: number;
  /** What of the remainder only the landing set may use. */
  readonly landing: number;
}

interface BudgetAccount {
  readonly account: string;
  readonly overdrawn: boolean;
  /** How its limit was met, if it was. */
  readonly exhausted?: string;
  readonly rows: readonly BudgetRow[];
  readonly accounts: readonly BudgetAccount[];
}

export interface BudgetTree {
  readonly run: BudgetAccount;
  /** What each planning step's fragment has used so far, nested ones not included. */
  readonly phases: readonly { readonly planner: string; readonly steps: number; readonly spent: Amount }[];
  readonly failed: Amount;
  readonly assumed: Amount;
}

export function budgetTree(state: RunState, history: History): BudgetTree {
  return { run: accountTree(state, RUN_ACCOUNT), phases: phaseShares(state, history), ...wasted(history) };
}

function accountTree(state: RunState, id: string): BudgetAccount {
  const accounts = [...state.ledger.accounts.values()];
  const found = state.ledger.accounts.get(id);
  const met = state.exhausted.get(id);
  return {
    account: id,
    overdrawn: found?.overdrawn ?? false,
    ...(met === undefined ? {} : { exhausted: exhaustionText(met) }),
    rows: [...(found === undefined ? [] : rowsOf(found)), ...(id === RUN_ACCOUNT ? [timeRow(state)] : [])],
    accounts: accounts.filter(({ parent }) => parent?.id === id).map((child) => accountTree(state, child.id)),
  };
}

function rowsOf(account: Account): BudgetRow[] {
  return limitable.flatMap((resource) => {
    const limit = account.limit[resource];
    const spent = quantity(account.spent, resource);
    const reserved = quantity(account.reserved, resource);
    if (limit === undefined && spent + reserved === 0) return [];
    const landing = account.landing[resource] ?? 0;
    return [
      {
        resource,
        spent,
        reserved,
        landing,
        ...(limit === undefined ? {} : { limit, remaining: remaining(account, resource) }),
      },
    ];
  });
}

function timeRow({ template, elapsed, wallClock }: RunState): BudgetRow {
  const { landingReserve } = template.budget;
  return {
    resource: 'time',
    limit: wallClock,
    spent: elapsed,
    reserved: 0,
    remaining: Math.max(0, wallClock - elapsed),
    landing: Math.ceil((wallClock * landingReserve) / 100),
  };
}

function phaseShares(state: RunState, history: History): BudgetTree['phases'] {
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
    ...tree.phases.map(({ planner, steps, spent }) => [span(`phase ${planner}: ${steps} steps, ${amountText(spent)}`)]),
    [span(`failed attempts: ${amountText(tree.failed)}`), span(`; assumed for lost ones: ${amountText(tree.assumed)}`)],
  ];
}

function accountRows({ account, rows, accounts }: BudgetAccount, depth: number): readonly (readonly Span[])[] {
  const own = rows.map((row, index) => {
    const show = (value: number | undefined): Span =>
      span(value === undefined ? '-' : quantityText(row.resource, value));
    const name = index === 0 ? '  '.repeat(depth) + account : '';
    const left =
      row.remaining === 0 && row.spent > 0 ? span(quantityText(row.resource, 0), 'warn') : show(row.remaining);
    return [
      span(name, 'strong'),
      span(row.resource),
      show(row.limit),
      show(row.spent),
      show(row.reserved),
      left,
      row.landing === 0 ? span('-') : show(row.landing),
    ];
  });
  return [...own, ...accounts.flatMap((child) => accountRows(child, depth + 1))];
}

function exhaustedLines({ account, overdrawn, exhausted, accounts }: BudgetAccount): readonly Line[] {
  return [
    ...(exhausted === undefined ? [] : [[span(`exhausted: ${exhausted}`, 'bad')]]),
    ...(overdrawn ? [[span(`${account} is overdrawn: more was billed than was reserved`, 'bad')]] : []),
    ...accounts.flatMap(exhaustedLines),
  ];
}
