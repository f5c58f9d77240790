// Shows lines like the terminal does, with tones as CSS classes.
import type { Line } from '../../../view/line.ts';

export function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <div class="lines-text">
      {lines.map((line, row) => (
        <div key={row}>
          {line.map(({ text, tone }, place) => (
            <span key={place} class={tone === undefined ? undefined : `text-${tone}`}>
              {text}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
