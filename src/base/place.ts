// A place in a document, for messages.

/** Lines and columns count from 1; `endColumn` is one past the last character. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** `templates/a.yaml:14:5` */
export function placeText(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`;
}
