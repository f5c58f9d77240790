// Shows issues with their places and hints.

import { type Issue, pathText } from '../../../base/issue.ts';
import { asTyped } from '../state/as-typed.ts';

export function Issues({ issues }: { readonly issues: readonly Issue[] }) {
  return (
    <ul class="issues">
      {issues.map(({ code, severity, message, path, place, hint }, row) => (
        <li key={row} class={severity}>
          <code>{code}</code> {message}
          {path.length > 0 && <span class="dim"> at {pathText(path)}</span>}
          {place !== undefined && place.line > 0 && (
            <span class="dim">
              {' '}
              (line {place.line}, column {place.column})
            </span>
          )}
          {hint !== undefined && <div class="hint-text">{asTyped(hint)}</div>}
        </li>
      ))}
    </ul>
  );
}
