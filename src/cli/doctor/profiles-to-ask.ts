// Finds the model profiles that `doctor --models` asks: those of templates, or the model that the environment names.
import { existsSync } from 'node:fs';
import { type Issue, issue } from '../../base/issue.ts';
import { canonicalJson, type Json } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { ModelProfile } from '../../model/profile.ts';
import type { ParsedArguments } from '../command.ts';
import { loadTemplate } from '../load-template.ts';
import { projectTemplates } from '../project-templates.ts';
import { UsageError } from '../usage-error.ts';

export interface ProfileToAsk {
  readonly name: string;
  readonly profile: ModelProfile;
  /** The template that declares it; absent: the environment. */
  readonly file?: string;
}

/** Words that name a file are templates, and other words profiles. Equal profiles of several templates are asked once. */
export async function profilesToAsk(given: ParsedArguments): Promise<Result<readonly ProfileToAsk[]>> {
  const files = given.arguments.filter(isTemplate);
  const names = given.arguments.filter((word) => !isTemplate(word));
  const from = files.length > 0 ? files : projectTemplates();
  const found = from.length > 0 ? await profilesOf(given, from) : await profilesAround(given);
  if (!found.ok) return found;
  const known = new Set(found.value.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name)).map((name) => unknownProfile(name, known));
  if (unknown.length > 0) return bad(unknown);
  return good(names.length === 0 ? found.value : found.value.filter(({ name }) => names.includes(name)));
}

function isTemplate(word: string): boolean {
  return /\.(?:ya?ml|json)$/.test(word) || existsSync(word);
}

async function profilesOf(given: ParsedArguments, files: readonly string[]): Promise<Result<readonly ProfileToAsk[]>> {
  const found = new Map<string, ProfileToAsk>();
  const issues: Issue[] = [];
  for (const file of files) {
    const loaded = await loadTemplate(given, file);
    if (!loaded.ok) issues.push(...loaded.error);
    else {
      for (const [name, profile] of Object.entries(loaded.value.models)) {
        const key = `${name} ${canonicalJson(profile as unknown as Json)}`;
        if (!found.has(key)) found.set(key, { name, profile, file });
      }
    }
  }
  if (issues.length > 0) return bad(issues);
  if (found.size > 0) return good([...found.values()]);
  const message = `no model is declared in ${files.join(', ')}`;
  return bad([issue('MODEL_NOT_CONFIGURED', message, { hint: 'declare one under models:, or set RECONVERGE_MODEL' })]);
}

/** The model that the environment names. */
async function profilesAround(given: ParsedArguments): Promise<Result<readonly ProfileToAsk[]>> {
  const steps = [{ name: 'answer', agent: 'default', description: 'Answer.' }];
  if ((process.env.RECONVERGE_MODEL ?? '') === '') {
    throw new UsageError(
      'name a template: there is no template.yaml and no folder templates here, and RECONVERGE_MODEL names no model',
    );
  }
  const loaded = await loadTemplate(given, { reconverge: 1, name: 'doctor', budget: { unpriced: 'allow' }, steps });
  if (!loaded.ok) return loaded;
  return good(Object.entries(loaded.value.models).map(([name, profile]) => ({ name, profile })));
}

function unknownProfile(name: string, known: ReadonlySet<string>): Issue {
  const hint = didYouMean(name, known) ?? `the profiles are ${[...known].join(', ')}`;
  return issue('MODEL_UNKNOWN', `no model is named "${name}"`, { hint });
}
