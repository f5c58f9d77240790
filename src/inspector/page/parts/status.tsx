// The states of steps and runs, each as a sign, a word and a color.
import type { StepStatus } from '../../../engine/state/state.ts';
import { type StatusMark, statusMark } from '../../../view/status.ts';

export function Status({ status, text }: { readonly status: StepStatus; readonly text: string }) {
  return <Pill shown={statusMark(status)} text={text} />;
}

const ofRuns: Readonly<Record<string, StatusMark>> = {
  completed: { sign: '✓', tone: 'good' },
  failed: { sign: '✗', tone: 'bad' },
  cancelled: { sign: '■', tone: 'warn' },
  cancelling: { sign: '■', tone: 'warn' },
  paused: { sign: '‖', tone: 'warn' },
  waiting: { sign: '?', tone: 'warn' },
  interrupted: { sign: '!', tone: 'warn' },
  running: { sign: '●', tone: 'busy' },
};

export function RunStatus({ status, partial }: { readonly status: string; readonly partial: boolean }) {
  const isPart = partial && status === 'completed';
  const shown = isPart ? { sign: '✓', tone: 'warn' as const } : (ofRuns[status] ?? { sign: '·', tone: 'dim' as const });
  return <Pill shown={shown} text={isPart ? 'completed in part' : status} />;
}

function Pill({ shown: { sign, tone }, text }: { readonly shown: StatusMark; readonly text: string }) {
  return (
    <span class={`pill tone-${tone}`}>
      <span aria-hidden="true">{sign}</span> {text}
    </span>
  );
}
