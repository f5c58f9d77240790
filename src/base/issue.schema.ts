// Issues, failures and places in documents as JSON.

import { called, count, list, loosely, map, oneOf, optional, reference, text } from './builders.schema.ts';
import type { Failure } from './failure.ts';
import type { Issue, Mend, MendEdit } from './issue.ts';
import type { Place } from './place.ts';

const place = called<Place>(
  'Place',
  map(
    {
      file: text('The file.'),
      line: count('The first line; counts from 1.'),
      column: count('The first column; counts from 1.'),
      endLine: count('The last line.'),
      endColumn: count('The column after the last character.'),
    },
    'The place in a file.',
  ),
);

const pathPart = loosely<string | number>('string | number', { type: ['string', 'integer'] });

const mend = called<Mend>(
  'Mend',
  map(
    {
      title: text('A sentence that begins with a verb.'),
      edits: list(
        called<MendEdit>(
          'MendEdit',
          map(
            { place, text: text('The text that replaces the place; an empty place inserts it.') },
            'One replacement.',
          ),
        ),
        'Replacements that do not overlap.',
      ),
    },
    'An edit of the document that solves the issue.',
  ),
);

export const issueSchema = called<Issue>(
  'Issue',
  map(
    {
      code: text('The code; `reconverge docs CODE` explains it.'),
      severity: oneOf(['error', 'warning', 'info']),
      message: text('One sentence.'),
      path: list(pathPart, 'The keys and list places that lead from the root of the document to the fault.'),
      place: optional(place),
      hint: optional(text('How to mend it.')),
      mend: optional(mend),
    },
    'A finding about a document.',
  ),
);
/** An issue, in a schema that has `issueSchema` under `$defs`. */
export const issue = reference<Issue>('Issue', 'issue');

const cause = reference<Failure>('Failure', 'failure');

export const failureSchema = called<Failure>(
  'Failure',
  map(
    {
      code: text('The code; `reconverge docs CODE` explains it.'),
      message: text('One sentence.'),
      hint: optional(text('How to mend it.')),
      retry: oneOf(['may', 'never'], '`never`: the same attempt would fail the same way again.'),
      retryAfter: optional(count('Milliseconds that the other side asks to wait.')),
      fate: optional(oneOf(['refused', 'unknown'], 'Whether the call was carried out; absent: it was tried.')),
      cause: optional(cause('The failure that led to this one.')),
      issues: optional(list(issue(), 'The findings about the value that was refused.')),
    },
    'The reason why an attempt did not succeed.',
  ),
);
/** A failure, in a schema that has `failureSchema` and `issueSchema` under `$defs`. */
export const failure = reference<Failure>('Failure', 'failure');
