// Explains why a module did not load, in one sentence with the line, instead of Node's stack trace.
import { dirname, isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Issue, issue } from '../base/issue.ts';
import type { Place } from '../base/place.ts';
import { messageOf, stackOf, systemCode } from './capability-error.ts';

/**
 * Issues: MODULE_IMPORT_MISSING, MODULE_TYPESCRIPT_UNSUPPORTED, MODULE_SYNTAX_INVALID, MODULE_THREW.
 * @param path as the user wrote it
 * @param file absolute
 */
export function moduleIssue(thrown: unknown, path: string, file: string): Issue {
  const place = placeIn(thrown, path, file);
  const message = messageOf(thrown);
  switch (systemCode(thrown)) {
    case 'ERR_MODULE_NOT_FOUND':
    case 'ERR_PACKAGE_PATH_NOT_EXPORTED':
    case 'ERR_UNSUPPORTED_DIR_IMPORT':
      return issue(
        'MODULE_IMPORT_MISSING',
        `"${path}" imports a file or package that does not exist: ${missing(message, file)}`,
        {
          place,
          hint: 'install the package beside the module; a relative import needs its file extension',
        },
      );
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return issue('MODULE_TYPESCRIPT_UNSUPPORTED', `"${path}" does not load: ${message}`, {
        place,
        hint: 'write enums as unions, parameter properties as fields and namespaces as modules: Node only strips types',
      });
    default:
      break;
  }
  if (isSyntaxError(thrown)) {
    const hint = 'node --check FILE shows the place';
    return issue('MODULE_SYNTAX_INVALID', `"${path}" does not load: ${message}`, {
      place,
      hint: place === undefined ? hint : undefined,
    });
  }
  return issue('MODULE_THREW', `"${path}" threw while it was loaded: ${message}`, {
    place,
    hint: 'move code that may fail into run, where an error fails only its step',
  });
}

/** `Cannot find package 'zodd' imported from /…/a.ts` without absolute paths. */
function missing(message: string, file: string): string {
  const match = /^Cannot find (?:package|module) '([^']+)'/.exec(message);
  const name = match?.[1];
  if (name === undefined) return message;
  if (!isAbsolute(name)) return name;
  const way = relative(dirname(file), name);
  return way.startsWith('.') ? way : `./${way}`;
}

/** A module may throw a proxy that throws when its properties are read. */
function isSyntaxError(thrown: unknown): boolean {
  return stackOf(thrown) !== undefined && thrown instanceof SyntaxError;
}

/** Node puts the line of a syntax error in the first line of its stack; other errors have it in the first frame. */
function placeIn(thrown: unknown, path: string, file: string): Place | undefined {
  const stack = stackOf(thrown);
  if (stack === undefined) return undefined;
  const lines = stack.split('\n');
  for (const line of lines) {
    const [, where, row, column] = /^(?:\s*at .*?\(?)?((?:file:\/\/)?\/.*?):(\d+)(?::(\d+))?\)?$/.exec(line) ?? [];
    if (where === undefined || plainPath(where) !== file) continue;
    const from = column === undefined ? caretIn(lines) : { column: Number(column), width: 1 };
    return {
      file: path,
      line: Number(row),
      column: from.column,
      endLine: Number(row),
      endColumn: from.column + from.width,
    };
  }
  return undefined;
}

function plainPath(where: string): string {
  return where.startsWith('file://') ? fileURLToPath(where) : where;
}

function caretIn(lines: readonly string[]): { readonly column: number; readonly width: number } {
  const carets = lines.slice(0, 4).find((line) => /^\s*\^+\s*$/.test(line)) ?? '^';
  return { column: carets.indexOf('^') + 1, width: carets.trim().length };
}
