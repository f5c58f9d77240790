// What a template says of HTTP: which addresses may be reached.
import { type Issue, issue } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import { type HttpPolicy, readHostPattern } from '../keys/http.ts';
import { flagAt, wordsAt } from '../keys/readers.ts';

export function readHttp(raw: JsonObject | undefined, note: (found: readonly Issue[]) => void): HttpPolicy | undefined {
  if (raw === undefined) return undefined;
  const allow = wordsAt(raw, 'allow');
  note(allow.flatMap((each, index) => (readHostPattern(each) === undefined ? [noPattern(each, index)] : [])));
  return { allow, private: flagAt(raw, 'private') ?? false };
}

function noPattern(text: string, index: number): Issue {
  return issue('HTTP_HOST_INVALID', `"${text}" is not a host`, {
    path: ['http', 'allow', index],
    hint: 'such as api.example.com, *.example.com, localhost:8080 or https://example.com; no path',
  });
}
