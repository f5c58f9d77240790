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
  /** The SQLite file; `.reconverge/runs.db` in `folder` unless given. */
  readonly store?: string;
  /** `strict` (default): what is acknowledged survives power loss. `relaxed`: it survives the death of the process. */
  readonly durability?: 'strict' | 'relaxed';
  /** `any`: a store that cannot be written is opened for reading alone, and refuses orders. `write` (default): it is refused. */
  readonly access?: StoreAccess;
  /** Relative paths start here; default: the working directory. */
  readonly folder?: string;
  /** Beside the catalog and the modules that a template names. */
  readonly capabilities?: readonly Capability[];
  /** Instead of a SQLite file. */
  readonly journal?: Journal;
  readonly clock?: Clock;
  /**
   * Tokens of a text as the encoder of the models in use counts them; unless given, as gpt-tokenizer does where it is
   * installed, else an estimate that is guessed high. Long runs without a word are handed over in pieces.
   */
  readonly countTokens?: CountTokens;
  /** Where `${env.X}` and `${secret.X}` are read from; `process.env` unless given. */
  readonly surroundings?: Surroundings;
  /** Who answers for a model profile, by its name; those that are not here are asked where their profile says. */
  readonly models?: Readonly<Record<string, Model>>;
  /** Who makes the vectors that the `embeddings` of templates are for; unless given, the server that they name. */
  readonly embedder?: Embedder;
  /** `false`: no run learns from earlier ones, or teaches later ones; a template may say the same of its own. */
  readonly learning?: boolean;
  /** Performs in the place of the world, for dry runs. */
  readonly standIn?: (template: Template) => (perform: Perform) => Perform;
  /**
   * Looks for faults while runs go on: holds them to their invariants at their commits, and throws when a listener or a
   * reader writes to a `RunView`. Slower. `RECONVERGE_PARANOID=1` turns it on too.
   */
  readonly paranoid?: boolean;
  /** Called with the log messages of capabilities. */
  readonly onLog?: (run: string, step: string, message: string) => void;
}
