// lock: records the tools of MCP servers and the models that answer, so that later runs notice a change.
import { dirname, resolve } from 'node:path';
import { counted } from '../../base/counted.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { loadFile } from '../../runtime/load/load-file.ts';
import { lockNear, lockPathFor, shownPath } from '../../runtime/lock/lock-near.ts';
import { writeLock } from '../../runtime/lock/write-lock.ts';
import { isSameLock, type LockChanges, lockChanges, readCurrentLock } from '../../runtime/perform/current-lock.ts';
import { modelClients } from '../../runtime/perform/model-clients.ts';
import { listedBy, serversFor } from '../../runtime/perform/tool-servers.ts';
import { boundary } from '../../runtime/ports/boundary.ts';
import { listingsBeside } from '../../store/store-files.ts';
import { issuesToJson } from '../../template/diagnostic.ts';
import { differencesShown, differencesText } from '../../template/lock/difference.ts';
import { emptyLock, LOCK_FILE, type LockFile } from '../../template/lock/lock-file.ts';
import type { Template } from '../../template/template.ts';
import { type Line, span } from '../../view/line.ts';
import type { LockAnswer } from '../answers/authoring.schema.ts';
import type { Call, Command, ParsedArguments } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag } from '../load-template.ts';
import { projectTemplates } from '../project-templates.ts';
import { hintAsCalled, refuse, sayIssues } from '../refuse.ts';
import { localStore } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [
    {
      name: '[TEMPLATE...]',
      description: 'Template files; by default template.yaml and the folder templates.',
    },
  ],
  flags: [
    { name: '--update', description: 'Accept all differences: write the present tools and models.' },
    { name: '--check', description: 'Write nothing; exit with 1 if the lock file is not up to date.' },
    { name: '--no-models', description: 'Leave out models: ask none for its name.' },
    environmentFlag,
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge lock', does: 'lock the tools of all servers of the templates here' },
    { command: 'reconverge lock --update notify.yaml', does: 'accept the changes of one template' },
    { command: 'reconverge lock --check --no-models', does: 'in a pipeline: fail if a server has changed' },
  ],

  async run(call) {
    const { given } = call;
    if (given.has('check') && given.has('update')) throw new UsageError('--check writes nothing: leave out --update');
    const files = given.arguments.length > 0 ? given.arguments : projectTemplates();
    if (files.length === 0)
      throw new UsageError('name a template: there is no template.yaml and no folder templates here');
    const found = await changesFor(given, files);
    return found.ok ? settle(call, found.value, found.warnings, files) : refuse(call, found.error);
  },
};

interface LockComparison extends LockChanges {
  readonly path: string;
  /** Undefined when there is no lock file yet. */
  readonly old: LockFile | undefined;
}

/** Starts the servers of the templates, loads the templates, and compares the tools with the lock file. */
async function changesFor(given: ParsedArguments, files: readonly string[]): Promise<Result<LockComparison>> {
  const own = boundary(process.env);
  const servers = serversFor(own, Date.now, listingsBeside(localStore(given)));
  try {
    const templates: Template[] = [];
    const issues: Issue[] = [];
    const environment = given.text('environment');
    const listed = listedBy(servers, own);
    for (const file of files) {
      const loaded = await loadFile(file, process.cwd(), { own: [], tools: servers.tools, listed, environment });
      if (loaded.ok) templates.push(loaded.value.template);
      else issues.push(...loaded.error);
    }
    if (issues.length > 0) return bad(issues);
    const place = await placeOf(files);
    if (!place.ok) return place;
    const models = given.has('models') ? { modelClients: modelClients({}, own) } : {};
    const now = await readCurrentLock(templates, process.cwd(), { listed, ...models });
    if (!now.ok) return now;
    return good({ ...place.value, ...lockChanges(place.value.old ?? emptyLock, now.value) }, now.warnings);
  } finally {
    await servers.close();
  }
}

/** All files must share one lock file; otherwise the target would be ambiguous. */
async function placeOf(files: readonly string[]): Promise<Result<Pick<LockComparison, 'path' | 'old'>>> {
  const places = new Map<string, LockFile | undefined>();
  for (const folder of new Set(files.map((file) => dirname(resolve(file))))) {
    const near = await lockNear(folder);
    if (!near.ok) return near;
    places.set(near.value?.path ?? (await lockPathFor(folder)), near.value?.lock);
  }
  const [place, ...others] = places;
  if (place === undefined || others.length > 0) {
    const named = [...places.keys()].map(shownPath).join(', ');
    throw new UsageError(
      `these templates belong to several lock files (${named}): name the templates of one lock file`,
    );
  }
  return good({ path: place[0], old: place[1] });
}

async function settle(
  call: Call,
  found: LockComparison,
  warnings: readonly Issue[],
  files: readonly string[],
): Promise<ExitCode> {
  const { given } = call;
  const { path, old, next, differences, added } = found;
  const isCurrent = old !== undefined && isSameLock(old, next);
  const refused = given.has('check') ? stale(found, files) : given.has('update') ? [] : unaccepted(found, files);
  const writes = !given.has('check') && refused.length === 0 && !isCurrent;
  const failed = writes ? await writeLock(path, next) : undefined;
  const issues = [...refused, ...(failed === undefined ? [] : [failed])];
  const kept = issues.length === 0 && !given.has('check') ? next : (old ?? emptyLock);
  if (given.has('json')) {
    const said = [...warnings, ...issues];
    call.terminal.json({
      file: shownPath(path),
      written: writes && failed === undefined,
      differences: differencesShown(differences),
      added,
      ...countsOf(kept),
      ...(said.length === 0 ? {} : { issues: issuesToJson(said.map((each) => hintAsCalled(given, each))) }),
    } satisfies LockAnswer);
  } else {
    call.terminal.print([...(await differenceLines(found)), ...added.map((each) => [span(`new: ${each}`)])]);
    sayIssues(given, [...warnings, ...issues]);
    if (issues.length === 0)
      call.terminal.print([
        [span(`${shownPath(path)}: ${writes ? 'written' : 'up to date'}`, 'good'), span(`, ${countsText(kept)}`)],
      ]);
  }
  return issues.length === 0 ? exitCodes.done : exitCodes.issues;
}

/** Lists everything that would be written, for `--check`. */
function stale({ path, old, added, ...found }: LockComparison, files: readonly string[]): readonly Issue[] {
  if (old === undefined) {
    const hint = `write it: reconverge lock ${files.join(' ')}`;
    return [issue('LOCK_MISSING', `there is no ${LOCK_FILE} at ${shownPath(path)}`, { hint })];
  }
  const unknown = issue('LOCK_DIFFERS', `${shownPath(path)} does not know: ${added.join(', ')}`, {
    hint: `add them: reconverge lock ${files.join(' ')}`,
  });
  return [...unaccepted({ path, old, added, ...found }, files), ...(added.length === 0 ? [] : [unknown])];
}

function unaccepted({ differences }: LockComparison, files: readonly string[]): readonly Issue[] {
  if (differences.length === 0) return [];
  const hint = `look at each; then accept them: reconverge lock --update ${files.join(' ')}`;
  return [issue('LOCK_DIFFERS', differencesText(differences), { hint })];
}

/** The YAML library is imported only when there is a difference to show. */
async function differenceLines({ differences }: LockComparison): Promise<readonly Line[]> {
  if (differences.length === 0) return [];
  const { stringify } = await import('yaml');
  const text: string = stringify(differencesShown(differences), { lineWidth: 100 });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => [span(line)]);
}

function countsOf({ servers, models }: LockFile) {
  const tools = Object.values(servers).reduce((sum, each) => sum + Object.keys(each).length, 0);
  return { servers: Object.keys(servers).length, tools, models: Object.keys(models).length };
}

function countsText(lock: LockFile): string {
  const { servers, tools, models } = countsOf(lock);
  return [
    counted(tools, 'tool'),
    `of ${counted(servers, 'server')}`,
    ...(models === 0 ? [] : [`and ${counted(models, 'model')}`]),
  ].join(' ');
}
