// validate: says everything that is wrong with templates, and runs nothing.

import { counted } from '../../base/counted.ts';
import { hasErrors, type Issue } from '../../base/issue.ts';
import { issuesToJson } from '../../template/diagnostic.ts';
import { isScenarioFile, readScenarios } from '../../testing/scenarios/read-scenarios.ts';
import { span } from '../../view/line.ts';
import type { Command, Given } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag, liveFlag, loadTemplate } from '../load-template.ts';
import { hintAsCalled, sayIssues } from '../refuse.ts';

export const command: Command = {
  arguments: [{ name: 'FILE...', description: 'Template files, or scenarios of templates.' }],
  flags: [environmentFlag, liveFlag, jsonFlag],
  examples: [
    { command: 'reconverge validate templates/*.yaml', does: 'every issue with its line and how to mend it' },
    {
      command: 'reconverge validate plan.yaml --live',
      does: 'the use of MCP tools held against what their servers say',
    },
    { command: 'reconverge validate plan.yaml --json', does: 'the same for an editor or a pipeline' },
  ],
  json: {
    files:
      '[{ file, ok, issues: [{ code, severity, message, path, place?, hint? }] }]; ok is also true with warnings only',
  },
  async run({ given, terminal }) {
    const files = [];
    for (const file of given.arguments) {
      const { issues, holds } = await look(given, file);
      files.push({
        file,
        ok: !hasErrors(issues),
        issues: issuesToJson(issues.map((each) => hintAsCalled(given, each))),
      });
      if (given.has('json')) continue;
      sayIssues(given, issues);
      if (holds !== undefined) terminal.print([[span(`${file}: `), span('ok', 'good'), span(` (${holds})`)]]);
    }
    if (given.has('json')) terminal.json({ files });
    return files.every(({ ok }) => ok) ? exitCodes.done : exitCodes.issues;
  },
};

interface Looked {
  readonly issues: readonly Issue[];
  /** What stands in a file that is right. */
  readonly holds?: string;
}

async function look(given: Given, file: string): Promise<Looked> {
  if (isScenarioFile(file)) {
    const read = await readScenarios(file, '.');
    if (!read.ok) return read;
    return { issues: read.warnings, holds: counted(read.value.scenarios.length, 'scenario') };
  }
  const loaded = await loadTemplate(given, file);
  return loaded.ok
    ? { issues: loaded.warnings, holds: counted(loaded.value.steps.length, 'step') }
    : { issues: loaded.issues };
}
