// How the suite runs: every test file under test/, with the closing line that CI reads.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/same-luck.ts'],
    reporters: ['default', './test/closing-line.ts'],
    // Nothing is timed: this only ends what hangs, also on a machine that is busy with something else.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many tests wait for processes that they have begun: a worker for each core, none of them left to the runner.
    maxWorkers: '100%',
  },
});
