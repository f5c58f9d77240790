// Programs in process groups of their own, so that one signal ends a program and all that it has started.
import type { ChildProcess } from 'node:child_process';
import { platform } from 'node:process';

/** Windows has no process groups, and would open a console window for a detached program. */
export const hasGroups = platform !== 'win32';

/** Environment variables without which programs do not start on Windows, and none elsewhere. None of them is private. */
export const windowsVariables: readonly string[] = hasGroups
  ? []
  : 'SystemRoot SystemDrive ComSpec PATHEXT TEMP TMP USERPROFILE APPDATA LOCALAPPDATA'.split(' ');

/** Signals the group that a program leads; on Windows, the program alone. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid ?? Number.NaN), signal);
  } catch {
    // The group has ended, or the system knows no process groups.
    child.kill(signal);
  }
}
