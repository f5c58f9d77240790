// validate: says everything that is wrong with templates, and runs nothing.

import { counted } from '../../base/counted.ts';
import { hasErrors } from '../../base/issue.ts';
import { issuesToJson } from '../../template/diagnostic.ts';
import { span } from '../../view/line.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag, liveFlag, loadTemplate } from '../load-template.ts';
import { hintAsCalled, sayIssues } from '../refuse.ts';

export const command: Command = {
  arguments: [{ name: 'FILE...', description: 'Template files.' }],
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
      const loaded = await loadTemplate(given, file);
      const issues = loaded.ok ? loaded.warnings : loaded.issues;
      files.push({
        file,
        ok: !hasErrors(issues),
        issues: issuesToJson(issues.map((each) => hintAsCalled(given, each))),
      });
      if (given.has('json')) continue;
      sayIssues(given, issues);
      if (loaded.ok)
        terminal.print([
          [span(`${file}: `), span('ok', 'good'), span(` (${counted(loaded.value.steps.length, 'step')})`)],
        ]);
    }
    if (given.has('json')) terminal.json({ files });
    return files.every(({ ok }) => ok) ? exitCodes.done : exitCodes.issues;
  },
};
