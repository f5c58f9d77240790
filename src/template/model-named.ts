// Finds the model profile of a name that may be left out.
import type { ModelProfile } from '../model/profile.ts';

export interface NamedModel {
  readonly name: string;
  readonly profile: ModelProfile;
}

/** Absent: `default`, or the only one there is. */
export function modelNamed(
  models: Readonly<Record<string, ModelProfile>>,
  name: string | undefined,
): NamedModel | undefined {
  const names = Object.keys(models);
  const meant = name ?? (names.length === 1 ? names[0] : 'default');
  const profile = meant !== undefined && Object.hasOwn(models, meant) ? models[meant] : undefined;
  return meant === undefined || profile === undefined ? undefined : { name: meant, profile };
}
