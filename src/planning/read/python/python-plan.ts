// Reads plans that are written as calls in Python: `hotel = find(city="Rome")`, then `book(id=hotel["id"], nights=2)`.
import type { Issue, PathPart } from '../../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import { type Locate, locator } from '../../../template/parse/line-positions.ts';
import type { WrittenStep } from '../phase.ts';
import { type EvaluatedCall, evaluateStatement, faultIssue, newEvaluation } from './evaluate.ts';
import type { PythonFault } from './fault.ts';
import { parsePython } from './parse.ts';
import { spanOf } from './places.ts';

/** A text with calls, and its path in the reply; the path is empty for the reply itself. */
export interface PythonSource {
  readonly text: string;
  readonly at: readonly PathPart[];
  /** The calls stand between these offsets; by default everywhere. */
  readonly from?: number;
  readonly end?: number;
}

export interface PythonPlan {
  /** In the order in which Python would make the calls. */
  readonly steps: readonly WrittenStep[];
  readonly issues: readonly Issue[];
  readonly notes: readonly string[];
}

/**
 * The sources share their variables. Issues have places that count lines and columns in their source. Never throws. Takes
 * time in proportion to the length of the texts.
 */
export function readPython(sources: readonly PythonSource[]): PythonPlan {
  const parsed = sources.map((source) => ({ source, ...parsePython(source.text, source.from, source.end) }));
  const notes = new Set(['calls in Python as steps']);
  const length = sources.reduce((sum, { text }) => sum + text.length, 0);
  const statements = parsed.flatMap((each) => each.statements);
  const evaluation = newEvaluation(statements, length, notes);
  const isBroken = parsed.some(({ faults }) => faults.length > 0);
  const steps: WrittenStep[] = [];
  const issues: Issue[] = [];
  for (const { source, statements: own, faults } of parsed) {
    let lines: Locate | undefined;
    const locate: Locate = (from, to) => {
      lines ??= locator(source.text, '');
      return lines(from, to);
    };
    const found = (fault: PythonFault): Issue => ({
      ...faultIssue(fault, source.at),
      place: locate(fault.at.from, fault.at.to),
    });
    issues.push(...faults.map(found));
    let count = 0;
    for (const statement of own) {
      const { calls, faults: later } = evaluateStatement(statement, evaluation);
      for (const call of calls) {
        steps.push(stepOf(call, [...(source.at.length === 0 ? ['steps'] : source.at), count], locate));
        count += 1;
      }
      // A line that cannot be read may have given the name its value.
      issues.push(...later.filter(({ code }) => !isBroken || code !== 'CALL_NAME_UNKNOWN').map(found));
    }
  }
  return { steps, issues, notes: [...notes] };
}

function stepOf(evaluated: EvaluatedCall, at: readonly PathPart[], locate: Locate): WrittenStep {
  const { name, call, given } = evaluated;
  const value: JsonObject = { name, capability: call.tool, [isJsonObject(given) ? 'input' : 'arguments']: given };
  const placeOf = (path: readonly PathPart[]) => {
    const { from, to } = spanOf(evaluated, path);
    return locate(from, to);
  };
  return { value, at, placeOf };
}

const CALL = /^\s*(?:[\p{L}_]\w*\s*=\s*)?[\p{L}_][\w.-]*\([\s\S]*\)\s*(?:#[^\n]*)?$/u;

const BEGINNING = /^(?:\s|#[^\n]*\n)*\[?\s*(?:[\p{L}_]\w*\s*=\s*)?[\p{L}_][\w.-]*\(/u;

/** Whether a text that cannot be read was meant as calls. */
export function beginsLikeCalls(text: string): boolean {
  return BEGINNING.test(text);
}

/** Whether texts in the place of steps are calls, faulty ones among them, and no orders in words. */
export function areCallTexts(texts: readonly Json[]): boolean {
  return (
    texts.every((text) => typeof text === 'string' && beginsLikeCalls(text)) &&
    texts.some((text) => typeof text === 'string' && CALL.test(text))
  );
}
