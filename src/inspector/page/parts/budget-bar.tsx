// A budget as bars: spent, reserved for running steps, reserved for landing, and left.
import { limitText } from '../../../budget/limit-text.ts';
import type { BudgetTree } from '../../../view/budget/budget-tree.ts';

type Row = BudgetTree['run']['rows'][number];

const names: Readonly<Record<Row['resource'], string>> = {
  steps: 'steps',
  llm_calls: 'model calls',
  tool_calls: 'calls',
  tokens_in: 'tokens in',
  tokens_out: 'tokens out',
  cost_usd: 'cost',
  time: 'time',
} as Readonly<Record<Row['resource'], string>>;

function resourceName(resource: Row['resource']): string {
  return names[resource] ?? resource.replaceAll('_', ' ');
}

export function BudgetBar({ row }: { readonly row: Row }) {
  const { resource, limit, spent, reserved, landing } = row;
  const text = (value: number): string => limitText(resource, value);
  const description = [
    `${text(spent)} spent`,
    ...(reserved > 0 ? [`${text(reserved)} reserved for running steps`] : []),
    ...(landing > 0 ? [`${text(landing)} kept for landing`] : []),
    ...(limit === undefined ? ['no limit'] : [`limit ${text(limit)}`]),
  ].join(', ');
  const part = (value: number): string =>
    `${limit === undefined || limit === 0 ? 0 : Math.min(100, (100 * value) / limit)}%`;
  const isTight = limit !== undefined && spent + reserved >= 0.9 * (limit - landing);
  return (
    <div
      class={`bar ${isTight ? 'tight' : ''}`}
      role="img"
      aria-label={`${resourceName(resource)}: ${description}`}
      title={description}
    >
      <div class="bar-head">
        <span>{resourceName(resource)}</span>
        <span class="figures">
          {text(spent)}
          {limit === undefined ? '' : ` of ${text(limit)}`}
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
