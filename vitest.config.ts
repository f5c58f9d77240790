// How the suite runs: every test file under test/, with the closing line that CI reads.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests that start the command line or a browser. */
const processes = [
  'test/cli/**/*.test.ts',
  'test/inspector/*.test.ts',
  'test/lsp/*.test.ts',
  'test/postgres/*.test.ts',
  'test/stores/*.test.ts',
  'test/templates/gallery/data-migration*.test.ts',
  'test/guides.test.ts',
];

/** Tests that change their whole process, such as its environment or its loaded modules. */
const isolated = ['test/otel/*.test.ts', 'test/capabilities/**/*.test.ts'];

/** Tests that need a real model: `npm run test:llm:local` serves one. */
const localModel = ['test/local-model/*.test.ts'];

/** Tests that need real backends of OpenTelemetry: `npm run test:backends` starts them. */
const backends = ['test/backends/*.test.ts'];

export default defineConfig({
  // Modules of templates import the package by its name; tests load them with the sources of this checkout.
  resolve: { alias: [{ find: /^reconverge$/, replacement: join(import.meta.dirname, 'src/index.ts') }] },
  test: {
    setupFiles: ['test/same-luck.ts'],
    env: {
      // Writing to a view of a run throws, and runs are held to their invariants.
      RECONVERGE_PARANOID: '1',
      // Processes that tests start read compiled modules where the command line keeps them, without stripping types anew.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
    },
    reporters: ['default', './test/slowest.ts', './test/closing-line.ts'],
    // No test is timed: the limits only end what hangs, and hold on a machine that is ten times slower.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Many tests wait for processes they have started, so each core gets a worker and the runner none.
    maxWorkers: '100%',
    // Pages of the guides run side by side: more of them at once only take the cores from each other.
    maxConcurrency: 2,
    projects: [
      {
        extends: true,
        // Files share the modules they import: loading all of src anew for each file takes longer than most files' tests.
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...isolated, ...processes, ...localModel, ...backends],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
      {
        extends: true,
        test: {
          name: 'processes',
          include: processes,
          isolate: false,
          globalSetup: ['test/build-command-line.ts'],
        },
      },
      ...(process.env.RECONVERGE_TEST_JAEGER === undefined && process.env.RECONVERGE_TEST_PHOENIX === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'backends',
                include: backends,
                fileParallelism: false,
                testTimeout: 3_600_000,
                globalSetup: ['test/build-command-line.ts'],
              },
            },
          ]),
      ...((process.env.RECONVERGE_LOCAL_URL ?? '') === ''
        ? []
        : [
            {
              extends: true as const,
              test: { name: 'local-model', include: localModel, fileParallelism: false, testTimeout: 3_600_000 },
            },
          ]),
    ],
  },
});
