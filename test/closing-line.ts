// A reporter that ends the run with one plain line: how many tests passed, failed and were skipped.
import type { Reporter, TestModule } from 'vitest/node';

class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1;
      }
    }
    setImmediate(() => console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`));
  }
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default ClosingLine;
