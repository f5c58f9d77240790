// A form for new limits; each field shows the current limit and the amount spent.
import { limitText } from '../../../budget/limit-text.ts';
import { limitKey } from '../../../budget/limits.ts';
import type { BudgetTree } from '../../../view/budget/budget-tree.ts';
import { Field } from '../parts/field.tsx';
import { budget } from '../state/budget.ts';

type Account = BudgetTree['run'];

interface Props {
  readonly account: string;
  readonly written: Readonly<Record<string, string>>;
  readonly onWrite: (written: Readonly<Record<string, string>>) => void;
}

export function Limits({ account, written, onWrite }: Props) {
  const found = budget.value === undefined ? undefined : accountIn(budget.value.run, account);
  const limited = found?.rows.filter(({ limit }) => limit !== undefined) ?? [];
  return (
    <div class="limits">
      {limited.map(({ resource, limit = 0, spent }) => {
        const key = limitKey(resource);
        return (
          <Field
            key={key}
            label={
              <>
                <code>{key}</code>
                <span class="spent-of">
                  {limitText(resource, spent)} of {limitText(resource, limit)} spent
                </span>
              </>
            }
            placeholder={limitText(resource, limit)}
            value={written[key] ?? ''}
            onInput={(value) => onWrite({ ...written, [key]: value })}
          />
        );
      })}
    </div>
  );
}

/** Only the limits that were filled in. */
export function writtenLimits(written: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(written).flatMap(([key, value]) => (value.trim() === '' ? [] : [[key, value.trim()]])),
  );
}

function accountIn(account: Account, id: string): Account | undefined {
  if (account.account === id) return account;
  return account.accounts.map((child) => accountIn(child, id)).find((found) => found !== undefined);
}
