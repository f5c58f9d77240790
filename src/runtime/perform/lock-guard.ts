// Compares tools and models with the lock file: each tool before it is called, each model after it has answered.
import { dirname, resolve } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import { type Failure, failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined, type Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { failureOf } from '../../capabilities/capability-error.ts';
import { errorOf } from '../../capabilities/mcp/mcp-error.ts';
import type { McpServers } from '../../capabilities/mcp/servers.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { EffectOutcome, LockFindings } from '../../engine/record/command.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { defaultLock, type LockMode } from '../../template/keys/lock.ts';
import {
  differenceOfModel,
  differenceOfTool,
  differencesText,
  type LockDifference,
} from '../../template/lock/difference.ts';
import { lockedModel, lockedTools } from '../../template/lock/lock-file.ts';
import { toolsByName } from '../../template/lock/tool-fingerprint.ts';
import type { Template } from '../../template/template.ts';
import { type FoundLock, lockNear } from '../lock/lock-near.ts';
import { serverOf } from '../lock/template-servers.ts';

type Origin = NonNullable<Declaration['origin']>;

/** The reason why a call must not be made, or its answer must not be used. */
interface LockRefusal {
  readonly failure: Failure;
  /** The differences that a person is asked about. */
  readonly lock?: LockFindings;
}

/** The value holds the differences that are only reported as warnings. */
type LockVerdict = Result<LockFindings | undefined, LockRefusal>;

type AgreedKeys = readonly Digest[] | undefined;

export interface LockGuard {
  /** Checks tools before they are called or planned with. Differences in `agreed` are ignored. */
  tools(origins: readonly Origin[], agreed: AgreedKeys): Promise<LockVerdict>;
  /** `answered`: the name of the model that answered, if its server gave one. */
  model(profile: ModelProfile, answered: string | undefined, agreed: AgreedKeys): Promise<LockVerdict>;
}

export interface LockGuardOptions {
  readonly template: Template;
  /** The folder that the template's path is relative to. */
  readonly folder: string;
  readonly servers: Pick<McpServers, 'listed'>;
  /** Removes secrets that a server repeats. */
  readonly redact: (value: Json) => Json;
}

/** Reads the lock file once, when it is first needed. */
export function lockGuard({ template, folder, servers, redact }: LockGuardOptions): LockGuard {
  const beside = dirname(resolve(folder, template.file));
  const { tools: forTools, models: forModels } = template.lock ?? defaultLock;
  let reading: Promise<Result<FoundLock | undefined>> | undefined;

  function found(): Promise<Result<FoundLock | undefined>> {
    reading ??= lockNear(beside);
    return reading;
  }

  return {
    async tools(origins, agreed) {
      if (forTools === 'off' || origins.length === 0) return good(undefined);
      const read = await found();
      if (!read.ok) return bad({ failure: unread(read.error) });
      if (read.value === undefined) return good(undefined);
      const differences: LockDifference[] = [];
      for (const origin of origins) {
        const server = serverOf(template, origin);
        if (server === undefined) continue;
        const listed = await servers.listed(server, beside);
        if (!listed.ok) return bad({ failure: failureOf(errorOf(listed.error)) });
        const tool = toolsByName(listed.value).get(origin.tool);
        const said = tool === undefined ? undefined : toolsByName([redact(tool)]).get(origin.tool);
        const locked = lockedTools(read.value.lock, origin.server);
        const difference = differenceOfTool(origin.server, origin.tool, locked, said);
        if (difference !== undefined) differences.push(difference);
      }
      return guarded(forTools, differences, agreed);
    },

    async model({ model }, answered, agreed) {
      if (forModels === 'off' || answered === undefined) return good(undefined);
      const read = await found();
      if (!read.ok) return bad({ failure: unread(read.error) });
      const was = read.value && lockedModel(read.value.lock, model);
      const difference = was === undefined ? undefined : differenceOfModel(model, was, answered);
      return guarded(forModels, difference === undefined ? [] : [difference], agreed);
    },
  };
}

/** The outcome of work that the lock file refuses. */
export function refusedByLock({ failure: why, lock }: LockRefusal): EffectOutcome {
  return { ...bad(why), ...defined({ lock }) };
}

function guarded(mode: Exclude<LockMode, 'off'>, all: readonly LockDifference[], agreed: AgreedKeys = []): LockVerdict {
  const differences = all.filter(({ key }) => !agreed.includes(key));
  if (differences.length === 0) return good(undefined);
  const lock: LockFindings = { mode, differences };
  if (mode === 'warn') return good(lock);
  const why = failure('LOCK_DIFFERS', differencesText(differences), { retry: 'never', fate: 'refused' });
  return bad({ failure: why, lock });
}

function unread([first]: readonly Issue[]): Failure {
  return failure(first?.code ?? 'LOCK_UNREADABLE', first?.message ?? '', { retry: 'may', fate: 'refused' });
}
