// LangGraph.js with its SQLite checkpointer: a node sends the steps of a layer and continues when they are done.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Annotation, Command, DeltaChannel, END, Send, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import type { Durability } from '../floor.ts';
import type { Peer } from './peer.ts';

interface Result {
  readonly step: string;
  readonly n: number;
}

function all(results: readonly Result[], more: readonly Result[]): readonly Result[] {
  return [...results, ...more];
}

const channels = {
  accumulating: () => Annotation<readonly Result[]>({ reducer: all, default: () => [] }),
  delta: () =>
    new DeltaChannel<readonly Result[]>((results, writes) => [...results, ...writes.flat()], {
      initialValueFactory: () => [],
    }),
};

function langGraph(channel: keyof typeof channels, note: string): Peer {
  return {
    note,
    durabilities: ['strict', 'relaxed'],
    most: 10_000,
    async run(file, { steps, width }, durability, ended) {
      const state = Annotation.Root({
        layer: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
        results: channels[channel](),
      });
      const graph = new StateGraph(state)
        .addNode('work', ({ i }: { readonly i: number }) => {
          ended();
          return { results: [{ step: `s${i}`, n: 1 }] };
        })
        .addNode(
          'next',
          ({ layer }: { readonly layer: number }) => {
            if (layer * width >= steps) return new Command({ goto: END });
            const sends = Array.from({ length: width }, (_, i) => new Send('work', { i: layer * width + i }));
            return new Command({ update: { layer: layer + 1 }, goto: sends });
          },
          { ends: ['work', END] },
        )
        .addEdge(START, 'next')
        .addEdge('work', 'next');
      const database = openDatabase(file, durability);
      const app = graph.compile({ checkpointer: new SqliteSaver(database) });
      const began = performance.now();
      const { results } = await app.invoke(
        {},
        {
          configurable: { thread_id: '1' },
          recursionLimit: Number.MAX_SAFE_INTEGER,
          durability: 'sync',
          maxConcurrency: width,
        },
      );
      const took = performance.now() - began;
      database.close();
      if (results.length !== steps) throw new Error(`${results.length} of ${steps} results`);
      return { took };
    },
  };
}

/** The part of better-sqlite3 that the checkpointer uses, on Node's own SQLite, which needs no compiler. */
function openDatabase(file: string, durability: Durability) {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA synchronous=${durability === 'strict' ? 'FULL' : 'NORMAL'}`);
  const bound = (values: readonly (SQLInputValue | undefined)[]) => values.map((value) => value ?? null);
  return {
    pragma: (text: string) => database.exec(`PRAGMA ${text}`),
    exec: (text: string) => database.exec(text),
    prepare(text: string) {
      const statement = database.prepare(text);
      return {
        get: (...values: (SQLInputValue | undefined)[]) => statement.get(...bound(values)),
        all: (...values: (SQLInputValue | undefined)[]) => statement.all(...bound(values)),
        run: (...values: (SQLInputValue | undefined)[]) => statement.run(...bound(values)),
      };
    },
    transaction<T extends readonly unknown[]>(write: (...values: T) => unknown) {
      return (...values: T) => {
        database.exec('BEGIN');
        write(...values);
        database.exec('COMMIT');
      };
    },
    close: () => database.close(),
  };
}

export const peer = langGraph('accumulating', 'SqliteSaver, durability "sync"; results in a channel with a reducer');
export const deltaPeer = langGraph('delta', 'the same with a DeltaChannel, which is in beta');
