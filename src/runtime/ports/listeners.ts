// Calls the listeners of a program: an error of a listener becomes a warning of the process and goes no further.
import { defined } from '../../base/json.ts';

type ListenerFunction = (...given: never[]) => unknown;

/**
 * Never throws. The first error of the listener, thrown or rejected, becomes a `ListenerWarning`; later errors are
 * dropped, so that a listener that always fails does not fill the terminal.
 */
export function caught<L extends ListenerFunction>(
  name: string,
  run: string,
  listener: L,
): (...given: Parameters<L>) => void {
  let hasWarned = false;
  const warn = (error: unknown): void => {
    if (hasWarned) return;
    hasWarned = true;
    const message = `${name} of run ${run} failed, and the run goes on: ${textOf(error)}`;
    const detail = error instanceof Error ? error.stack : undefined;
    process.emitWarning(message, { type: 'ListenerWarning', ...defined({ detail }) });
  };
  return (...given) => {
    try {
      const returned = listener(...given);
      if (returned instanceof Promise) returned.catch(warn);
    } catch (error) {
      warn(error);
    }
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
