// What a call lacks and earlier results bring: by their contracts, and item by item where they bring a list.
import type { JsonObject } from '../../base/json.ts';
import { propertiesOf } from '../../contract/schema.ts';
import { wireDependencies } from '../resolve/arguments/wire.ts';
import type { Task } from './task.ts';

/** A task that is done before, by the name of its step. */
interface Source {
  readonly name: string;
  readonly task: Task;
  readonly output?: JsonObject | undefined;
}

interface Feeds {
  readonly input: JsonObject;
  /** The call, or a fan-out of it where it goes through a list. */
  around(call: JsonObject): JsonObject;
}

/** Earlier results whose contracts say that they bring what is missing. Only what is required is fed: the rest nobody asked for. */
export function feedsFor(
  missing: readonly string[],
  contract: JsonObject,
  taken: ReadonlySet<string>,
  earlier: readonly Source[],
): Feeds {
  const sources = earlier.flatMap(({ name, task, output }) =>
    output === undefined ? [] : [{ name, description: task.description, output }],
  );
  const others = Object.keys(propertiesOf(contract)).filter((property) => !missing.includes(property));
  const { wires } = wireDependencies(sources, contract, new Set([...taken, ...others]));
  const list = wires.find(({ each }) => each !== undefined);
  const input = wires.map(({ property, from, path, each }) => {
    const value = each === undefined ? reference(`results.${from}`, path) : reference('item', each.path);
    return [property, value] as const;
  });
  return {
    input: Object.fromEntries(input),
    around: (call) =>
      list?.each === undefined
        ? call
        : {
            type: 'fan_out',
            for_each: reference(`results.${list.from}`, list.path),
            max_width: Math.max(1, list.each.atMost),
            do: call,
          },
  };
}

function reference(root: string, path: readonly string[]): string {
  return `{{ ${[root, ...path].join('.')} }}`;
}
