// The trials with a real model: every template that uses a model, by default or in its environment "llm".

export interface Tried {
  readonly file: string;
  readonly environment?: string;
  readonly input: Readonly<Record<string, string>>;
}

const llm = { environment: 'llm', input: {} };

export const tried: readonly Tried[] = [
  { ...llm, file: 'recon-then-execute.yaml', input: { folder: 'templates/data/shop' } },
  { ...llm, file: 'reconcile-payments.yaml' },
  { ...llm, file: 'refine-a-draft.yaml' },
  { ...llm, file: 'map-analyze-reduce.yaml' },
  { ...llm, file: 'triage-refunds.yaml' },
  { ...llm, file: 'replan-what-failed.yaml', input: { folder: 'templates/data/branches' } },
  { file: 'stock-comparison.yaml', input: {} },
  { file: 'research-and-compare.yaml', input: {} },
];
