// The buttons for the levels of the graph: by itself, phases, steps, cards, and the whole.
import type { Level } from '../../../view/graph/map/display-list.ts';
import { pinnedLevel } from './graph-state.ts';
import { requested } from './requests.ts';

const levels: readonly { readonly level: Level; readonly text: string }[] = [
  { level: 'far', text: '1 Phases' },
  { level: 'middle', text: '2 Steps' },
  { level: 'near', text: '3 Cards' },
];

export function LevelBar() {
  const pinned = pinnedLevel.value;
  return (
    <div class="level-bar" role="group" aria-label="Level of detail">
      <button
        type="button"
        aria-pressed={pinned === undefined}
        onClick={() => (requested.value = { level: undefined })}
      >
        Auto
      </button>
      {levels.map(({ level, text }, at) => (
        <button
          key={level}
          type="button"
          aria-pressed={pinned === level}
          data-key={`level-${at + 1}`}
          onClick={() => (requested.value = { level })}
        >
          {text}
        </button>
      ))}
      <button type="button" data-key="fit" onClick={() => (requested.value = { fit: true })}>
        0 Fit
      </button>
    </div>
  );
}
