// How the suite runs: every test file under test/, with the closing line that CI reads.
import { defineConfig } from 'vitest/config';

/** Tests that start the command line or a browser. */
const processes = ['test/cli/**/*.test.ts', 'test/inspector/*.test.ts', 'test/stores/*.test.ts', 'test/guides.test.ts'];

export default defineConfig({
  test: {
    setupFiles: ['test/same-luck.ts'],
    reporters: ['default', './test/slowest.ts', './test/closing-line.ts'],
    // Nothing is timed: this only ends what hangs, also on a machine that is busy with something else.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many tests wait for processes that they have begun: a worker for each core, none of them left to the runner.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        // Files share the modules they import: loading all of src anew for each file takes longer than most files' tests.
        test: { name: 'modules', include: ['test/**/*.test.ts'], exclude: processes, isolate: false },
      },
      {
        extends: true,
        test: { name: 'processes', include: processes, globalSetup: ['test/build-command-line.ts'] },
      },
    ],
  },
});
