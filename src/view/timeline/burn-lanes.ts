// The lanes of the burn: each resource that was spent, against its limit, over the axis of the timeline.
import { durationText, type Instant, moneyText } from '../../base/quantity.ts';
import { type Burn, type BurningResource, type BurnLimit, burning, entryAt, spentAt } from '../times/burn.ts';
import type { TimeAxis } from './time-axis.ts';

interface BurnLane {
  readonly resource: BurningResource;
  readonly name: string;
  /** `$0.16 of $1.00`; `62.5k, no limit` */
  readonly amount: string;
  /** The share of the limit, or how long the rest lasts. */
  readonly note: string;
  /** The line of the spent amount. */
  readonly line: string;
  /** The area below the line. */
  readonly area: string;
  /** The line of the limit; empty without a limit. */
  readonly limit: string;
  /** The lower edge of the part that is kept for landing, and that part; both may be empty. */
  readonly landing: string;
  readonly reserve: string;
  /** Nine tenths of the limit are spent. */
  readonly isTight: boolean;
}

export interface BurnLanes {
  readonly lanes: readonly BurnLane[];
  /** `cost, model calls, tokens: nothing spent`; empty if all were spent. */
  readonly unused: string;
}

interface LanesRequest {
  readonly burn: Burn;
  readonly axis: TimeAxis;
  /** Later amounts are not drawn. */
  readonly until: Instant;
  /** The run goes on, so its pace tells how long the rest lasts. */
  readonly isLive: boolean;
  /** The height of a lane in pixels. */
  readonly height: number;
}

const names: Readonly<Record<BurningResource, string>> = {
  cost_usd: 'cost',
  llm_calls: 'model calls',
  tool_calls: 'tool calls',
  tokens: 'tokens',
};

const TIGHT = 0.9;
/** In pixels. */
const LEAST_STEP = 0.5;

export function burnLanes(request: LanesRequest): BurnLanes {
  const isUsed = (resource: BurningResource): boolean => request.burn[resource].points.length > 0;
  const idle = burning.filter((resource) => !isUsed(resource));
  return {
    lanes: burning.filter(isUsed).map((resource) => laneOf(request, resource)),
    unused: idle.length === 0 ? '' : `${idle.map((resource) => names[resource]).join(', ')}: nothing spent`,
  };
}

function laneOf(request: LanesRequest, resource: BurningResource): BurnLane {
  const { burn, axis, until, height } = request;
  const { points, limits } = burn[resource];
  const spent = spentAt(burn, resource, until);
  const now = entryAt(limits, until);
  const last = points.at(-1)?.spent ?? 0;
  const top = Math.max(last * 1.15, ...limits.map(({ limit = 0 }) => limit), 1);
  const y = (value: number): number => round(height - 5 - (value / top) * (height - 8));
  const line = stepped(axis, points, ({ spent: value }) => y(value), { y: y(0), until });
  const withLimit = limits.flatMap(({ at, limit, landing }) => (limit === undefined ? [] : [{ at, limit, landing }]));
  const edge = (amountIn: (each: Required<BurnLimit>) => number): string => {
    const [first] = withLimit;
    if (first === undefined) return '';
    return stepped(axis, withLimit, (each) => y(amountIn(each)), { y: y(amountIn(first)), until: axis.to });
  };
  const hasReserve = withLimit.some(({ landing }) => landing > 0);
  const landing = hasReserve ? edge((each) => each.limit - each.landing) : '';
  const { limit } = now ?? {};
  return {
    resource,
    name: names[resource],
    amount: `${amountText(resource, spent)}${limit === undefined ? ', no limit' : ` of ${amountText(resource, limit)}`}`,
    note: noteOf(request, resource, spent, now),
    line,
    area: `${line}V${y(0)}H${round(Math.max(0, axis.x(axis.from)))}z`,
    limit: edge((each) => each.limit),
    landing,
    reserve:
      hasReserve && limit !== undefined ? `M0 ${y(limit)}H${axis.width}V${y(limit - (now?.landing ?? 0))}H0z` : '',
    isTight: limit !== undefined && spent >= TIGHT * limit,
  };
}

function noteOf(
  { axis, until, isLive }: LanesRequest,
  resource: BurningResource,
  spent: number,
  now: BurnLimit | undefined,
): string {
  if (now?.limit === undefined || spent === 0) return '';
  const left = now.limit - now.landing - spent;
  const kept = now.landing > 0 ? '; dotted: kept for landing' : '';
  if (isLive && resource === 'cost_usd' && left > 0)
    return `at this pace it lasts ${durationText(Math.round((left / spent) * (until - axis.from)))} more${kept}`;
  const share = (100 * spent) / now.limit;
  return `${share < 1 ? 'under 1' : Math.floor(share)} % of the limit${resource === 'cost_usd' ? kept : ''}`;
}

/** A line of steps from the left edge to a moment; changes nearer than half a pixel are one change. */
function stepped<T extends { readonly at: Instant }>(
  axis: TimeAxis,
  changes: readonly T[],
  yOf: (change: T) => number,
  { y: start, until }: { readonly y: number; readonly until: Instant },
): string {
  const left = Math.max(0, axis.x(axis.from));
  const end = Math.min(axis.width, Math.max(left, axis.x(until)));
  const last = Math.min(until, axis.at(axis.width));
  let path = `M${round(left)} `;
  let [x, y] = [left, start];
  let next = axis.at(x + LEAST_STEP);
  for (const change of changes) {
    if (change.at > last) break;
    if (change.at >= next) {
      x = axis.x(change.at);
      path += `${path.endsWith(' ') ? y : `V${y}`}H${round(x)}`;
      next = axis.at(x + LEAST_STEP);
    }
    y = yOf(change);
  }
  return `${path}${path.endsWith(' ') ? y : `V${y}`}H${round(end)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** `$0.16`, `18`, `62.5k` */
function amountText(resource: BurningResource, amount: number): string {
  const unit = amount < 100_000 ? 100 : 10_000;
  if (resource === 'cost_usd') return moneyText(Math.round(amount / unit) * unit);
  if (amount < 10_000) return amount.toLocaleString('en');
  return amount < 1_000_000 ? `${(amount / 1_000).toFixed(1)}k` : `${(amount / 1_000_000).toFixed(1)}M`;
}
