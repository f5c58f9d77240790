// Finds the address of a model that `doctor --models` asks.
import { dirname, resolve } from 'node:path';
import { aiSdkSource } from '../../llm/ai-sdk-model.ts';
import { connect, type ModelSurroundings, OWN_SERVER } from '../../llm/connection.ts';
import { loadModelModule } from '../../runtime/load/model-module.ts';
import type { ProfileToAsk } from './profiles-to-ask.ts';

export interface ModelAddress {
  /** The server for people; the module of a model of the AI SDK. */
  readonly server: string;
  /** The address under which refused features are remembered. */
  readonly baseUrl: string;
  readonly canBeAsked: boolean;
}

export async function addressOf(each: ProfileToAsk, surroundings: ModelSurroundings): Promise<ModelAddress> {
  const { name, profile } = each;
  if (profile.provider === 'ai-sdk') {
    const loaded = await loadModelModule(profile, folderOf(each));
    const baseUrl = loaded.ok ? aiSdkSource(loaded.value).baseUrl : '';
    return { server: profile.module ?? '', baseUrl, canBeAsked: loaded.ok };
  }
  const connected = connect(name, profile, surroundings);
  if (connected.ok) {
    const { baseUrl } = connected.value;
    return { server: withoutQuery(baseUrl), baseUrl, canBeAsked: true };
  }
  // The address as it is written, for a model that cannot be asked.
  const written = withoutQuery(profile.baseUrl ?? process.env.OPENAI_BASE_URL ?? OWN_SERVER);
  return { server: written, baseUrl: written, canBeAsked: false };
}

/** The folder that paths of modules are relative to. */
export function folderOf({ file = '.' }: ProfileToAsk): string {
  return dirname(resolve(file));
}

/** The query of an address may hold a key. */
function withoutQuery(address: string): string {
  return address.replace(/\?.*$/, '');
}
