// Runs one hostile program in one engine, in a process of its own, and prints the outcome.
import { engineNamed } from './engine.ts';
import { hostileData } from './hostile.ts';

/** Absent when the process hung or died. */
export interface Fate {
  readonly kind: 'stopped' | 'answered' | 'reached';
  /** The code or message of the error, or the value. */
  readonly what: string;
  /** Milliseconds from the source to the end, in a fresh process. */
  readonly milliseconds: number;
}

const SHOWN = 60;

async function attack(engineName: string, program: string): Promise<Fate> {
  const { compile, compileGuarded = compile, hostile } = await engineNamed(engineName);
  const source = hostile[program];
  if (source === undefined) throw new Error(`${engineName} has no program "${program}"`);
  const began = performance.now();
  const fate = (kind: Fate['kind'], what: string): Fate => ({
    kind,
    what: what.replace(/\s+/g, ' ').slice(0, SHOWN),
    milliseconds: performance.now() - began,
  });
  try {
    const answer = await (await compileGuarded(source))(hostileData);
    const reached = program === 'prototype reach' && (answer === 'Object' || typeof answer === 'function');
    return fate(reached ? 'reached' : 'answered', String(answer));
  } catch (error) {
    return fate('stopped', errorText(error));
  }
}

function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code} ` : '';
  return `${code}${'message' in error ? String(error.message) : ''}`;
}

const [engine = '', program = ''] = process.argv.slice(2);
console.log(JSON.stringify(await attack(engine, program)));
