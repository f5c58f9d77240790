// Finds what a user can do about a model that cannot be asked.
import type { Failure } from '../../base/failure.ts';
import { didYouMean } from '../../base/nearest.ts';
import { connect, type ModelSurroundings } from '../../llm/connection.ts';
import { lacksVersion, listModels } from '../../llm/probe/list-models.ts';
import type { ProfileToAsk } from './profiles-to-ask.ts';

/** The commands that start servers at their usual ports. */
const starts: Readonly<Record<string, string>> = {
  '11434': 'ollama serve',
  '1234': 'lms server start',
  '8080': 'llama-server --jinja -m MODEL.gguf',
  '8000': 'vllm serve MODEL --enable-auto-tool-choice --tool-call-parser NAME',
  '4000': 'litellm --config CONFIG.yaml',
};

/** The most models of a server that a hint names. */
const MOST_NAMED = 8;

/** Asks the server for its models where their names may help. Undefined when the message says all. */
export async function hintFor(
  { name, profile, file }: ProfileToAsk,
  { code, message }: Failure,
  surroundings: ModelSurroundings,
): Promise<string | undefined> {
  const where = file === undefined ? '' : ` of the model ${name} in ${file}`;
  const connected = connect(name, profile, surroundings);
  const url = connected.ok ? new URL(connected.value.baseUrl) : undefined;
  if (code === 'MODEL_UNAVAILABLE' && /cannot be reached/.test(message)) {
    const isHere = url !== undefined && /^(?:localhost|127\.|\[::1\])/.test(url.hostname);
    const start = isHere ? starts[url.port] : undefined;
    const first = start === undefined ? (isHere ? 'start the server' : 'check the network') : `start it: ${start}`;
    return `${first}, or correct \`base_url\`${where}`;
  }
  if (!isAboutModel(code, message)) return undefined;
  if (await lacksVersion(name, profile, surroundings)) {
    return `its address lacks /v1: write ${connected.ok ? `${connected.value.baseUrl}/v1` : ''} as \`base_url\`${where}`;
  }
  const models = await listModels(name, profile, surroundings);
  if (models === undefined || models.length === 0) return `correct \`model\` or \`base_url\`${where}`;
  if (models.includes(profile.model)) return undefined;
  const meant = didYouMean(profile.model, models);
  const named = models.slice(0, MOST_NAMED).join(', ');
  const more = models.length > MOST_NAMED ? ` and ${models.length - MOST_NAMED} others` : '';
  return `${meant === undefined ? '' : `${meant} `}the server has ${named}${more}`;
}

function isAboutModel(code: string, message: string): boolean {
  return code === 'MODEL_REQUEST_REFUSED' && /\(404\)|model/i.test(message.replace(/^the model /, ''));
}
