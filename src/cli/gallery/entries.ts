// The templates that `reconverge init --from` copies, with the commands to try first.

export interface GalleryEntry {
  readonly name: string;
  /** The need, in one sentence. */
  readonly summary: string;
  /** Folders under `templates/data` that the template reads; absent for a template that has a folder of its own. */
  readonly data?: readonly string[];
  /** Commands after `reconverge`, to be typed in the new folder. */
  readonly commands: readonly string[];
}

export const gallery: readonly GalleryEntry[] = [
  {
    name: 'ci-failure',
    summary: 'Find out what broke in a failed CI log, and by which change.',
    commands: ['explain template.yaml', 'run template.yaml', 'show latest'],
  },
  {
    name: 'repository-map',
    summary: 'Map an unknown repository: its parts, what depends on what, and its risks.',
    commands: ['explain template.yaml', 'run template.yaml', 'show latest'],
  },
  {
    name: 'reconcile-statements',
    summary: 'Reconcile a folder of invoices and statements in CSV, and explain every difference.',
    commands: ['explain template.yaml', 'run template.yaml', 'show latest'],
  },
  {
    name: 'incident-timeline',
    summary: 'Turn the logs of several services into one timeline of an incident, with its cause.',
    commands: ['explain template.yaml', 'run template.yaml', 'show latest'],
  },
  {
    name: 'comparison-table',
    summary: 'Compare the documents of a folder in a table whose every cell cites a file and a line.',
    commands: ['explain template.yaml', 'run template.yaml', 'show latest'],
  },
  {
    name: 'data-migration',
    summary: 'Plan a data migration, rehearse it on a copy, have it approved, and run it in batches.',
    commands: ['explain template.yaml', 'run template.yaml', 'review latest g1 --approve'],
  },
  {
    name: 'recon-then-execute',
    summary: 'Look at each file of a folder, then examine it with what fits it, and write a report.',
    data: ['shop'],
    commands: ['explain template.yaml', 'run template.yaml --input folder=data/shop', 'show latest'],
  },
  {
    name: 'reconcile-payments',
    summary: 'Find the shared columns of two files of payments, then compare the files by them.',
    data: ['payments'],
    commands: ['run template.yaml', 'run template.yaml --input threshold=0.25', 'show latest'],
  },
  {
    name: 'refine-a-draft',
    summary: 'Improve a text round by round, until it is good enough or gets no better.',
    data: ['drafts'],
    commands: ['run template.yaml', 'run template.yaml --input target=99', 'show latest'],
  },
  {
    name: 'map-analyze-reduce',
    summary: 'Add up files of any length in batches, and leave out a file that is broken.',
    data: ['sales'],
    commands: ['explain template.yaml', 'run template.yaml', 'show latest'],
  },
  {
    name: 'triage-refunds',
    summary: 'Spend as much care on a case as its amount asks for, and ask a person from 5,000 on.',
    data: ['refunds'],
    commands: [
      'run template.yaml --input request=R-101',
      'run template.yaml --input request=R-105',
      'review latest g1 --approve',
    ],
  },
  {
    name: 'replan-what-failed',
    summary: 'Plan again where a check fails, and keep the checks that succeeded.',
    data: ['branches'],
    commands: ['run template.yaml --input folder=data/branches', 'why latest plan_checks~2', 'show latest'],
  },
];
