// validate: reports everything that is wrong with templates, without running anything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { counted } from '../../base/counted.ts';
import { hasErrors, type Issue } from '../../base/issue.ts';
import { ownModule } from '../../capabilities/installation.ts';
import { version } from '../../runtime/journal/package-version.ts';
import { disguised } from '../../runtime/load/untrusted.ts';
import { issuesToJson } from '../../template/diagnostic.ts';
import { isScenarioFile, readScenarios } from '../../testing/scenarios/read-scenarios.ts';
import { span } from '../../view/line.ts';
import type { ValidateAnswer } from '../answers/authoring.schema.ts';
import type { Call, Command, ParsedArguments } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { codeHelp } from '../findings/code-help.ts';
import { githubLines } from '../findings/github.ts';
import { sarifLog } from '../findings/sarif.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag, liveFlag, loadTemplate, untrustedFlag } from '../load-template.ts';
import { hintAsCalled, sayIssues } from '../refuse.ts';
import { UsageError } from '../usage-error.ts';
import { watchFiles } from '../watch-files.ts';

const formats = ['text', 'json', 'sarif', 'github'] as const;

export const command: Command = {
  arguments: [{ name: 'FILE...', description: 'Template files, or files of scenarios.' }],
  flags: [
    {
      name: '--watch',
      description: 'Validate again whenever a file, or a file that it names, changes; end it with Ctrl-C.',
    },
    environmentFlag,
    liveFlag,
    untrustedFlag,
    {
      name: '--format <format>',
      description:
        'How issues are printed: text, json (as --json), sarif for code scanning, or github for annotations.',
      choices: formats,
    },
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge validate templates/*.yaml', does: 'list every issue with its line and a hint' },
    {
      command: 'reconverge validate plan.yaml --live',
      does: 'also check the calls of MCP tools against their servers',
    },
    { command: 'reconverge validate plan.yaml --watch', does: 'validate at each change, beside an editor' },
    {
      command: 'reconverge validate templates/*.yaml --untrusted',
      does: 'check the templates of a pull request without running their code',
    },
    { command: 'reconverge validate plan.yaml --json', does: 'validate for an editor or a pipeline' },
    {
      command: 'reconverge validate templates/*.yaml --format github',
      does: 'annotate the lines of a pull request in GitHub Actions',
    },
    {
      command: 'reconverge validate templates/*.yaml --format sarif > issues.sarif',
      does: 'write a file for code scanning',
    },
  ],

  async run(call) {
    if (!call.given.has('watch')) return validate(call);
    await watchFiles(call.given.arguments, () => inOwnProcess(call));
    return exitCodes.done;
  },
};

async function validate({ given, terminal }: Call): Promise<ExitCode> {
  const format = formatOf(given);
  const files = [];
  for (const file of given.arguments) {
    const { issues, holds } = await look(given, file);
    files.push({
      file,
      ok: !hasErrors(issues),
      issues: issuesToJson(issues.map((each) => hintAsCalled(given, each))),
    });
    if (format !== 'text') continue;
    sayIssues(given, issues);
    if (holds !== undefined) terminal.print([[span(`${file}: `), span('ok', 'good'), span(` (${holds})`)]]);
  }
  if (format === 'json') terminal.json({ files } satisfies ValidateAnswer);
  if (format === 'github')
    process.stdout.write(
      githubLines(files)
        .map((line) => `${line}\n`)
        .join(''),
    );
  if (format === 'sarif') terminal.json(sarifLog(files, version(), codeHelp()));
  return files.every(({ ok }) => ok) ? exitCodes.done : exitCodes.issues;
}

/** @throws UsageError for two formats */
function formatOf(given: ParsedArguments): (typeof formats)[number] {
  const format = formats.find((each) => each === given.text('format')) ?? 'text';
  if (!given.has('json')) return format;
  if (given.has('format') && format !== 'json')
    throw new UsageError('--json and --format name two formats: leave one out');
  return 'json';
}

/** Only a new process loads a changed module of capabilities. */
async function inOwnProcess({ given, terminal }: Call): Promise<void> {
  const environment = given.text('environment');
  const format = given.text('format');
  const flags = [
    ...(format === undefined ? [] : ['--format', format]),
    ...['live', 'untrusted', 'json'].flatMap((flag) => (given.has(flag) ? [`--${flag}`] : [])),
    ...(environment === undefined ? [] : ['--environment', environment]),
  ];
  const main = fileURLToPath(ownModule('cli/main'));
  const child = spawn(process.execPath, [main, 'validate', ...flags, '--', ...given.arguments], { stdio: 'inherit' });
  await once(child, 'close');
  terminal.say([[span('watching; Ctrl-C ends it', 'dim')]]);
}

interface Validation {
  readonly issues: readonly Issue[];
  /** Describes the contents of a valid file. */
  readonly holds?: string;
}

async function look(given: ParsedArguments, file: string): Promise<Validation> {
  if (isScenarioFile(file)) {
    const refused = given.has('untrusted') ? await disguised(file, '.') : undefined;
    if (refused !== undefined) return { issues: [refused] };
    const read = await readScenarios(file, '.');
    if (!read.ok) return { issues: read.error };
    return { issues: read.warnings, holds: counted(read.value.scenarios.length, 'scenario') };
  }
  const loaded = await loadTemplate(given, file);
  if (!loaded.ok) return { issues: loaded.error };
  const { templateAdvice } = await import('../../runtime/load/template-advice.ts');
  const advice = await templateAdvice(file, loaded.value, !given.has('untrusted'));
  const issues = [...loaded.warnings, ...advice];
  return hasErrors(issues) ? { issues } : { issues, holds: counted(loaded.value.steps.length, 'step') };
}
