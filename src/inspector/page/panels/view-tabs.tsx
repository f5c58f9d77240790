// The tabs for the views of a run.
import { go, place, views } from '../state/place.ts';

export function ViewTabs() {
  return (
    <div class="views" role="tablist" aria-label="Ways to look at the run">
      {views.map((view, index) => (
        <button
          key={view}
          type="button"
          role="tab"
          aria-selected={place.value.view === view}
          title={`${view} (${index + 1})`}
          onClick={() => go({ view })}
        >
          {view}
        </button>
      ))}
    </div>
  );
}
