// A meter of the budget: spent, reserved for running steps, kept for landing, and left.
import { type BudgetRow, isNearlySpent, meterText, resourceName, shortAmount } from '../../../view/head/meters.ts';

export function BudgetBar({ row }: { readonly row: BudgetRow }) {
  const { resource, limit, spent, reserved, landing } = row;
  const description = meterText(row);
  const part = (value: number): string =>
    `${limit === undefined || limit === 0 ? 0 : Math.min(100, (100 * value) / limit)}%`;
  return (
    <div
      class={`bar ${isNearlySpent(row) ? 'tight' : ''}`}
      role="img"
      aria-label={`${resourceName(resource)}: ${description}`}
      title={description}
    >
      <div class="bar-head">
        <span>{resourceName(resource)}</span>
        <span class="figures">
          {shortAmount(resource, spent)}
          {limit === undefined ? '' : ` of ${shortAmount(resource, limit)}`}
        </span>
      </div>
      {limit !== undefined && (
        <div class="track">
          <div class="spent" style={{ width: part(spent) }} />
          <div class="reserved" style={{ width: part(reserved) }} />
          {landing > 0 && (
            <div class="landing" style={{ width: part(Math.min(landing, Math.max(0, limit - spent - reserved))) }} />
          )}
        </div>
      )}
    </div>
  );
}
