// The options of an engine: its store, capabilities and models, and replacements for clock, environment and effects.
import type { Capability } from '../../capabilities/capability.ts';
import type { CountTokens } from '../../context/tokens.ts';
import type { Embedder } from '../../llm/embedder.ts';
import type { Model } from '../../llm/model.ts';
import type { Journal } from '../../store/journal.ts';
import type { StoreAccess } from '../../store/sqlite-journal.ts';
import type { Template } from '../../template/template.ts';
import type { Surroundings } from '../ports/boundary.ts';
import type { Clock } from '../ports/clock.ts';
import type { Perform } from '../ports/work.ts';

export interface EngineOptions {
  /** The SQLite file; by default `.reconverge/runs.db` in `folder`. */
  readonly store?: string;
  /** `strict` (default): acknowledged writes survive power loss. `relaxed`: they survive the end of the process. */
  readonly durability?: 'strict' | 'relaxed';
  /** `any`: a store that cannot be written is opened for reading and refuses orders. `write` (default): such a store is refused. */
  readonly access?: StoreAccess;
  /** The base of relative paths; by default the working directory. */
  readonly folder?: string;
  /** Capabilities besides the catalog and the modules that a template names. */
  readonly capabilities?: readonly Capability[];
  /** A journal to use instead of a SQLite file; `store` then only names the place beside which listings of MCP servers are kept. */
  readonly journal?: Journal;
  readonly clock?: Clock;
  /**
   * Counts the tokens of a text like the encoder of the models in use. By default gpt-tokenizer, if it is installed, or else
   * a high estimate. Long texts without spaces are passed in pieces.
   */
  readonly countTokens?: CountTokens;
  /** The variables behind `${env.X}` and `${secret.X}`; by default `process.env`. */
  readonly surroundings?: Surroundings;
  /**
   * Models by the names of profiles. Any other profile uses the server that it names. A template or mission that declares no
   * `models` uses these: `default` wherever no profile is named, or the only one.
   */
  readonly models?: Readonly<Record<string, Model>>;
  /** The embedder for templates with `embeddings`; by default the server that the template names. */
  readonly embedder?: Embedder;
  /** `false`: runs neither learn from earlier runs nor teach later ones. A template can turn learning off for its own runs. */
  readonly learning?: boolean;
  /** `false`: makes no spans and metrics in the OpenTelemetry providers that the program has registered. */
  readonly telemetry?: boolean;
  /**
   * `false`: sends no trace context (`traceparent`) with requests to other services. `OTEL_PROPAGATORS=none` turns it off too.
   */
  readonly propagation?: boolean;
  /** Replaces the performer of effects, for dry runs. */
  readonly standIn?: (template: Template) => (perform: Perform) => Perform;
  /**
   * Checks the invariants of runs at each commit, and throws also when a reader writes to the state of a `RunRecord`. Slower.
   * `RECONVERGE_PARANOID=1` turns it on too.
   */
  readonly paranoid?: boolean;
  /** Receives the log messages of capabilities as texts. `onLogs` of a run receives them with level, attempt and attributes. */
  readonly onLog?: (run: string, step: string, message: string) => void;
}
