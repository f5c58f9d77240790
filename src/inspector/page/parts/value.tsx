// A value of a run: text as text, other values as JSON; long values are cut.
import { useState } from 'preact/hooks';
import type { Json } from '../../../base/json.ts';
import type { StoredValue } from '../../../engine/record/event-parts.schema.ts';
import { keptValue } from '../state/server.ts';
import { Loaded } from './loaded.tsx';

const SHOWN = 6_000;

export function Value({ value }: { readonly value: Json }) {
  const [isWhole, setWhole] = useState(false);
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const isCut = text.length > SHOWN && !isWhole;
  return (
    <div class="value">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long value */}
      <pre tabIndex={0}>{isCut ? `${text.slice(0, SHOWN)}…` : text}</pre>
      {isCut && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </div>
  );
}

export function Stored({ kept }: { readonly kept: StoredValue }) {
  if ('value' in kept) return <Value value={kept.value} />;
  return (
    <Loaded of={kept.digest} load={() => keptValue(kept)}>
      {(value) => <Value value={value} />}
    </Loaded>
  );
}
