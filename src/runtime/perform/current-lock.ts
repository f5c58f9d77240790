// Reads the current content of a lock file: asks servers for their tools, and models for their names.
import { dirname, resolve } from 'node:path';
import { type Issue, issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { differenceOfModel, differencesOf, type LockDifference } from '../../template/lock/difference.ts';
import { type LockFile, lockedModel, lockedTools, lockText } from '../../template/lock/lock-file.ts';
import { fingerprintsOf } from '../../template/lock/tool-fingerprint.ts';
import type { Template } from '../../template/template.ts';
import type { ListedBy } from '../lock/lock-at-load.ts';
import { serversOf } from '../lock/template-servers.ts';
import type { ModelClients, ModelFor } from './model-clients.ts';

export interface CurrentLock {
  /** The tools of each server, by the name of the server. */
  readonly listings: ReadonlyMap<string, readonly Json[]>;
  /** The names of the models that answered, by the names that templates ask for. */
  readonly models: ReadonlyMap<string, string>;
}

export interface LockSources {
  readonly listed: ListedBy;
  /** Absent: models are not asked. */
  readonly modelClients?: ModelClients;
}

/**
 * `folder` is the base of the templates' paths. Models that do not answer are warnings. Issues: LOCK_SERVER_AMBIGUOUS, and
 * those of servers.
 */
export async function readCurrentLock(
  templates: readonly Template[],
  folder: string,
  { listed, modelClients }: LockSources,
): Promise<Result<CurrentLock>> {
  const listings = new Map<string, readonly Json[]>();
  const issues: Issue[] = [];
  const all = templates.flatMap(withChildren);
  for (const template of all) {
    const beside = dirname(resolve(folder, template.file));
    for (const server of serversOf(template)) {
      const now = await listed(server, beside);
      const known = listings.get(server.name);
      if (!now.ok) issues.push(...now.error);
      else if (known === undefined) listings.set(server.name, now.value);
      else if (differencesOf(server.name, fingerprintsOf(known), now.value).length > 0)
        issues.push(ambiguous(server.name));
    }
  }
  if (issues.length > 0) return bad(issues);
  const models = new Map<string, string>();
  const warnings: Issue[] = [];
  for (const template of all) {
    const modelFor = modelClients?.(dirname(resolve(folder, template.file)));
    if (modelFor === undefined) break;
    for (const [name, profile] of Object.entries(template.models)) {
      if (models.has(profile.model)) continue;
      const answered = await answeringModel(modelFor, name, profile);
      if (answered.ok) models.set(profile.model, answered.value);
      else warnings.push(...answered.error);
    }
  }
  return good({ listings, models }, warnings);
}

function withChildren(template: Template): readonly Template[] {
  return [template, ...Object.values(template.templates ?? {}).flatMap((child) => withChildren(child.template))];
}

function ambiguous(server: string): Issue {
  return issue('LOCK_SERVER_AMBIGUOUS', `two templates call different servers "${server}", whose tools differ`, {
    hint: 'give one of them another name, or a lock file of its own: put its template into a project of its own',
  });
}

/** Asks for a few tokens, because servers name the model that answers only with an answer. */
async function answeringModel(modelFor: ModelFor, name: string, profile: ModelProfile): Promise<Result<string>> {
  const client = await modelFor(name, profile);
  const asked = await client.ask(
    { model: name, messages: [{ role: 'user', content: 'Answer with the word ok.' }], maxOutputTokens: 16 },
    { signal: AbortSignal.timeout(profile.timeout) },
  );
  if (asked.ok && asked.value.model !== undefined) return good(asked.value.model);
  const why = asked.ok ? 'its server does not say which model answered' : asked.error.failure.message;
  return bad([
    issue('LOCK_MODEL_UNKNOWN', `the model ${name} (${profile.model}) is not locked: ${why}`, {
      severity: 'warning',
      hint: 'leave models out with --no-models',
    }),
  ]);
}

/** The difference between a lock file and the present tools and models. */
export interface LockChanges {
  readonly next: LockFile;
  /** Tools and models that differ from the file. */
  readonly differences: readonly LockDifference[];
  /** Servers and models that are not in the file. */
  readonly added: readonly string[];
}

/** Keeps the entries of servers and models that the templates do not name. */
export function lockChanges(old: LockFile, { listings, models }: CurrentLock): LockChanges {
  const servers = [...listings].map(([name, tools]) => ({ name, tools, locked: lockedTools(old, name) }));
  const answered = [...models].map(([name, now]) => ({ name, now, was: lockedModel(old, name) }));
  return {
    next: {
      servers: {
        ...old.servers,
        ...Object.fromEntries(servers.map(({ name, tools }) => [name, fingerprintsOf(tools)])),
      },
      models: { ...old.models, ...Object.fromEntries(models) },
    },
    differences: [
      ...servers.flatMap(({ name, tools, locked }) => (locked === undefined ? [] : differencesOf(name, locked, tools))),
      ...answered.flatMap(({ name, now, was }) => {
        const difference = was === undefined ? undefined : differenceOfModel(name, was, now);
        return difference === undefined ? [] : [difference];
      }),
    ],
    added: [
      ...servers.flatMap(({ name, locked }) => (locked === undefined ? [`server ${name}`] : [])),
      ...answered.flatMap(({ name, was }) => (was === undefined ? [`model ${name}`] : [])),
    ],
  };
}

export function isSameLock(one: LockFile, other: LockFile): boolean {
  return lockText(one) === lockText(other);
}
