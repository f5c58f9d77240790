// A reporter that lists the slowest tests of a run of several files: at most twenty, each of a second or more.
import type { Reporter, TestModule } from 'vitest/node';

const LISTED = 20;

class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 2) return;
    const timed = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        title: `${module.relativeModuleId} > ${test.fullName}`,
        seconds: (test.diagnostic()?.duration ?? 0) / 1_000,
      })),
    );
    const slow = timed.filter(({ seconds }) => seconds >= 1);
    const slowest = slow.sort((a, b) => b.seconds - a.seconds).slice(0, LISTED);
    const rows = slowest.map(({ title, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${title}`);
    if (rows.length === 0) return;
    // After the summary of the runner, and before the closing line, whose reporter comes later in the list.
    setImmediate(() => console.log(['', `The slowest ${rows.length} tests:`, ...rows].join('\n')));
  }
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default Slowest;
