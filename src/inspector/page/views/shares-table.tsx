// A table of amounts: one row for each phase or model, one column for each resource that some row used.
import type { ComponentChild } from 'preact';
import { type Amount, resources } from '../../../budget/amount.ts';
import { resourceName, shortAmount } from '../../../view/head/meters.ts';

export interface ShareRow {
  readonly key: string;
  readonly name: ComponentChild;
  readonly spent: Amount;
}

export function SharesTable({ of, rows }: { readonly of: string; readonly rows: readonly ShareRow[] }) {
  const used = resources.filter((resource) => rows.some(({ spent }) => (spent[resource] ?? 0) > 0));
  return (
    // A narrow screen shows a part of the table; whoever has no mouse scrolls with the arrow keys.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: axe asks for the focus of a part that scrolls
    <section class="shares" aria-label={of} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            {used.map((resource) => (
              <th key={resource} scope="col" class="number">
                {resourceName(resource)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, spent }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {used.map((resource) => (
                <td key={resource} class="number">
                  {(spent[resource] ?? 0) === 0 ? '' : shortAmount(resource, spent[resource] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
