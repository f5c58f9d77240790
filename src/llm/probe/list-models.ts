// Lists the models of a server, for hints when a model is not there.
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { type Connection, connect, type ModelSurroundings, type ServedModel } from '../connection.ts';
import { sendRequest } from '../send-request.ts';

const MOST_BYTES = 4_000_000;
const MOST_WAIT = 5_000;

/** Undefined when the server does not list its models. */
export async function listModels(
  name: string,
  profile: ServedModel,
  surroundings: ModelSurroundings,
): Promise<readonly string[] | undefined> {
  const connected = connect(name, profile, surroundings);
  return connected.ok ? listed(connected.value, surroundings) : undefined;
}

/** True when the address lacks `/v1`, by which most servers begin their paths. */
export async function lacksVersion(
  name: string,
  profile: ServedModel,
  surroundings: ModelSurroundings,
): Promise<boolean> {
  const connected = connect(name, profile, surroundings);
  if (!connected.ok || /\/v\d/.test(connected.value.baseUrl)) return false;
  const found = await listed({ ...connected.value, baseUrl: `${connected.value.baseUrl}/v1` }, surroundings);
  return found !== undefined;
}

async function listed(connection: Connection, surroundings: ModelSurroundings): Promise<readonly string[] | undefined> {
  const options = {
    connection,
    surroundings,
    signal: new AbortController().signal,
    timeout: MOST_WAIT,
    mostBytes: MOST_BYTES,
  };
  const answered = await sendRequest(options, (client, signal): Promise<unknown> => client.get('/models', { signal }));
  if (!answered.ok || !isJsonObject(answered.value)) return undefined;
  const data = ownProperty(answered.value, 'data');
  if (!isJsonArray(data)) return undefined;
  return data.map((each: Json) => ownProperty(each, 'id')).filter((id) => typeof id === 'string');
}
