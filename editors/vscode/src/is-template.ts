// Recognizes templates among YAML files, so that the extension leaves all other YAML alone.

/** Comments and directives may stand above the first key. */
const TEMPLATE = /^(?:\uFEFF)?(?:[ \t]*(?:#[^\n]*)?\r?\n|%[^\n]*\n|---[ \t]*\r?\n)*["']?reconverge["']?[ \t]*:/;

/** True when the first key of the file is `reconverge`. */
export function isTemplate(text: string): boolean {
  return TEMPLATE.test(text);
}
