// doctor: checks that everything a run needs is in order.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { counted } from '../../base/counted.ts';
import { defined } from '../../base/json.ts';
import { placeText } from '../../base/place.ts';
import { installation } from '../../capabilities/installation.ts';
import { lockNear, shownPath } from '../../runtime/lock/lock-near.ts';
import { StoreRefused } from '../../store/store-refused.ts';
import { LOCK_FILE } from '../../template/lock/lock-file.ts';
import { span } from '../../view/line.ts';
import type { DoctorAnswer } from '../answers/doctor.schema.ts';
import type { Command, ParsedArguments } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag, loadTemplate, notCheckedIn, untrustedFlag } from '../load-template.ts';
import { openStore } from '../open-store.ts';
import { projectTemplates } from '../project-templates.ts';
import { asCalled, localStore, storeExists, storeFlag, storeName } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly hint?: string;
}

type Check = (given: ParsedArguments) => Finding | Promise<Finding>;

const checks: readonly Check[] = [nodeVersion, storeFolder, storeIntegrity, templates, lockFile, telemetry];

export const command: Command = {
  arguments: [
    {
      name: '[NAME...]',
      description:
        'With --models: profiles and templates; by default all profiles of the templates here, or the model of RECONVERGE_MODEL.',
    },
  ],
  flags: [
    {
      name: '--models',
      description:
        'Ask each model one small question of each kind, which costs tokens. Show what it can do and what happens instead, and remember it for later runs.',
    },
    environmentFlag,
    storeFlag,
    untrustedFlag,
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge doctor',
      does: 'check Node, the store, the lock file, the templates and the endpoint of telemetry',
    },
    {
      command: 'reconverge doctor --untrusted',
      does: 'check a folder of templates without loading their modules',
    },
    { command: 'reconverge doctor --models', does: 'find out what the models of the templates here can do' },
    {
      command: 'reconverge doctor --models default template.yaml',
      does: 'ask one profile of one template',
    },
  ],

  async run(call) {
    const { given, terminal } = call;
    if (given.has('models')) {
      if (given.has('untrusted')) {
        throw new UsageError('--untrusted starts no program and sends no secret, and --models does: leave one out');
      }
      const { askModels } = await import('../doctor/ask-models.ts');
      return askModels(call);
    }
    if (given.arguments.length > 0) throw new UsageError('names are for --models: add it, or leave them out');
    const found: Finding[] = [];
    for (const check of checks) {
      const { hint, ...rest } = await check(given);
      found.push({ ...rest, ...defined({ hint: hint === undefined ? undefined : asCalled(given, hint) }) });
    }
    if (given.has('json')) terminal.json({ checks: found } satisfies DoctorAnswer);
    else {
      terminal.print(
        found.flatMap(({ name, ok, detail, hint }) => [
          [span(ok ? '✓ ' : '✗ ', ok ? 'good' : 'bad'), span(`${name}: ${detail}`)],
          ...(hint === undefined ? [] : [[span(`   hint: ${hint}`)]]),
        ]),
      );
    }
    return found.every(({ ok }) => ok) ? exitCodes.done : exitCodes.issues;
  },
};

function nodeVersion(): Finding {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', installation), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  const least = Number(engines.node.replace(/\D+/, ''));
  const ok = Number(process.versions.node.split('.')[0]) >= least;
  return {
    name: 'node',
    ok,
    detail: `${process.version}, ${engines.node} is needed`,
    ...(ok ? {} : { hint: 'install a newer version: https://nodejs.org' }),
  };
}

/** The modules of telemetry are loaded only here. */
async function telemetry(): Promise<Finding> {
  const { checkTelemetry } = await import('../doctor/check-telemetry.ts');
  return checkTelemetry(process.env, process.cwd());
}

/** Checks the nearest existing parent folder of the store, in which the missing folders would be created. */
function storeFolder(given: ParsedArguments): Finding {
  let folder = dirname(resolve(localStore(given)));
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name: 'permissions', ok: true, detail: `${folder} can be read and written` };
  } catch {
    const hint = 'give yourself the right to write there, or choose another store with --store';
    return { name: 'permissions', ok: false, detail: `${folder} cannot be written`, hint };
  }
}

async function storeIntegrity(given: ParsedArguments): Promise<Finding> {
  const file = storeName(given);
  if (!storeExists(given)) return { name: 'store', ok: true, detail: `none at ${file} yet; the first run makes it` };
  try {
    const journal = await openStore(given, { access: 'any' });
    try {
      const [first, ...others] = journal.check();
      const runs = journal.streams().length;
      const access = journal.readOnly === true ? '; it can be read, but not written' : '';
      if (first === undefined)
        return { name: 'store', ok: true, detail: `${file} is sound, with ${counted(runs, 'run')}${access}` };
      const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
      return {
        name: 'store',
        ok: false,
        detail: `${first.code}: ${first.message}${more}`,
        ...defined({ hint: first.hint }),
      };
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    const words = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return { name: 'store', ok: false, detail: `${error.code}: ${error.message}${words}`, hint: error.hint };
  }
}

/** Checks the lock file of the working folder. */
async function lockFile(): Promise<Finding> {
  const near = await lockNear(process.cwd());
  if (!near.ok) {
    const [first] = near.error;
    const where = first?.place === undefined ? '' : `${placeText(first.place)}: `;
    const hint = defined({ hint: first?.hint === undefined ? undefined : first.hint });
    return { name: 'lock', ok: false, detail: `${where}${first?.code}: ${first?.message}`, ...hint };
  }
  if (near.value === undefined)
    return { name: 'lock', ok: true, detail: `no ${LOCK_FILE} here; changes of tools are not noticed` };
  const { servers, models } = near.value.lock;
  const tools = Object.values(servers).reduce((sum, each) => sum + Object.keys(each).length, 0);
  const detail = `${shownPath(near.value.path)} holds ${counted(tools, 'tool')} and ${counted(Object.keys(models).length, 'model')}`;
  return { name: 'lock', ok: true, detail };
}

async function templates(given: ParsedArguments): Promise<Finding> {
  const files = projectTemplates();
  if (files.length === 0) {
    return { name: 'templates', ok: true, detail: 'there is no template.yaml and no folder templates here' };
  }
  const broken: string[] = [];
  const unchecked: string[] = [];
  for (const file of files) {
    const loaded = await loadTemplate(given, file);
    if (!loaded.ok) broken.push(file);
    else if (notCheckedIn(given, loaded.warnings).length > 0) unchecked.push(file);
  }
  const command = given.has('untrusted') ? 'reconverge validate --untrusted' : 'reconverge validate';
  if (broken.length > 0) {
    const hint = `see: ${command} ${broken.join(' ')}`;
    return { name: 'templates', ok: false, detail: `${broken.length} of ${files.length} are not valid`, hint };
  }
  const detail = `${counted(files.length, 'template')}, all valid`;
  if (unchecked.length === 0) return { name: 'templates', ok: true, detail };
  const hint = `see what was not checked: ${command} ${unchecked.join(' ')}`;
  return { name: 'templates', ok: true, detail: `${detail} as far as they were checked`, hint };
}
