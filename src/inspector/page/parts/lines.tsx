// Lines as the terminal shows them, their tones as classes.
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
