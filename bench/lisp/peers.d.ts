// The used parts of the peers' interfaces, so that types are checked without installing them.

declare module '@marcbachmann/cel-js' {
  export class Environment {
    constructor(options: { unlistedVariablesAreDyn: boolean });
    registerFunction(signature: string, handler: (list: readonly number[]) => number): void;
    parse(source: string): (data: object) => unknown;
  }
}

declare module 'jsonata' {
  function jsonata(
    source: string,
    options?: { timeout: number; stack: number },
  ): { evaluate(data: object): Promise<unknown> };
  export = jsonata;
}

declare module 'json-logic-js' {
  const jsonLogic: { apply(rule: unknown, data: object): unknown };
  export = jsonLogic;
}

declare module 'jexl' {
  class Jexl {
    addTransform(name: string, transform: (value: readonly never[], argument: string) => unknown): void;
    compile(source: string): { evalSync(data: object): unknown };
  }
  const jexl: { Jexl: typeof Jexl };
  export = jexl;
}

declare module 'isolated-vm' {
  interface Reference {
    applySync(receiver: undefined, args: readonly object[], options: object): unknown;
  }
  interface Context {
    readonly global: object;
  }
  class Isolate {
    constructor(options: { memoryLimit: number });
    createContextSync(): Context;
    compileScriptSync(
      source: string,
      options: object,
    ): { runSync(context: Context, options: { reference: true }): Reference };
  }
  const ivm: { Isolate: typeof Isolate };
  export = ivm;
}

declare module 'nbb' {
  export function loadString(source: string): Promise<unknown>;
}
