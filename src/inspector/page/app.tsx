// The frame of the page: the list of runs, or one run with its head, its views, the selected step or gate, and its time.

import { GatePanel } from './gate/gate-panel.tsx';
import { Canvas } from './graph/canvas.tsx';
import { LevelBar } from './graph/level-bar.tsx';
import { RunHead } from './head/run-head.tsx';
import { OpenOrderDialog } from './orders/order-dialogs.tsx';
import { Help } from './panels/help.tsx';
import { TimeSlider } from './panels/time-slider.tsx';
import { TopBar } from './panels/top-bar.tsx';
import { VIEW_PANEL, ViewTabs } from './panels/view-tabs.tsx';
import { Issues } from './parts/issues.tsx';
import { Loaded } from './parts/loaded.tsx';
import { RunList } from './runs/run-list.tsx';
import { NEW, StartDialog } from './runs/start-dialog.tsx';
import { asTyped } from './state/as-typed.ts';
import { go, place, type View } from './state/place.ts';
import { damage, isReadOnly, runs, shown } from './state/run.ts';
import { TimelineTools } from './timeline/tools.tsx';
import { BudgetView } from './views/budget-view.tsx';
import { ChangesView } from './views/changes-view.tsx';
import { JournalView } from './views/journal-view.tsx';
import { StepsView } from './views/steps-view.tsx';
import { TimelineView } from './views/timeline-view.tsx';

export function App() {
  return (
    <div class="frame">
      <TopBar />
      <Page />
      <Help />
      <OpenOrderDialog />
      <StartDialog />
    </div>
  );
}

function Page() {
  if (place.value.run === undefined && (runs.value ?? []).length > 0) return <RunList />;
  return (
    <main class={place.value.gate === undefined ? undefined : 'at-gate'}>
      {shown.value === undefined ? <Nothing /> : <Run />}
    </main>
  );
}

function Run() {
  const { step, gate, view } = place.value;
  return (
    <>
      <Damage />
      <RunHead />
      <ViewTabs>
        {view === 'graph' && <LevelBar />}
        {view === 'timeline' && <TimelineTools />}
      </ViewTabs>
      <div class={`work ${step !== undefined || gate !== undefined ? 'with-panel' : ''}`}>
        <div class="view" id={VIEW_PANEL} role="tabpanel" aria-label={view}>
          <Seen view={view} />
        </div>
        {gate !== undefined ? <GatePanel id={gate} /> : step !== undefined && <Step id={step} />}
      </div>
      <TimeSlider />
    </>
  );
}

/** The step panel needs more engine code than the rest of the page together, so it is loaded on demand. */
function Step({ id }: { readonly id: string }) {
  return (
    <Loaded of="step-panel" load={() => import('./step/step-panel.tsx')}>
      {({ StepPanel }) => <StepPanel id={id} />}
    </Loaded>
  );
}

function Seen({ view }: { readonly view: View }) {
  switch (view) {
    case 'graph':
      return <Canvas />;
    case 'timeline':
      return <TimelineView />;
    case 'steps':
      return <StepsView />;
    case 'budget':
      return <BudgetView />;
    case 'journal':
      return <JournalView />;
    case 'changes':
      return <ChangesView />;
  }
}

function Damage() {
  return damage.value === undefined ? null : <Issues issues={[damage.value]} />;
}

function Nothing() {
  const list = runs.value;
  if (list === undefined) return <p class="empty dim">listening …</p>;
  if (damage.value !== undefined) return <Damage />;
  if (list.length > 0) return <p class="empty dim">loading the run …</p>;
  return (
    <div class="empty">
      <h1>No run yet</h1>
      <p>
        Start one in another terminal: <code>{asTyped('reconverge run TEMPLATE')}</code>. It appears here by itself, and
        grows while you watch.
      </p>
      {!isReadOnly.value && (
        <p>
          <button type="button" class="primary" onClick={() => go({ run: undefined, filters: { start: NEW } })}>
            Start a run …
          </button>
        </p>
      )}
    </div>
  );
}
