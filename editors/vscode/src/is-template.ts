// Recognizes templates among YAML files, so that the extension starts nothing for all other YAML.

const VERSION = /^\uFEFF?["']?reconverge["']?[ \t]*:/m;
const STEPS = /^steps[ \t]*:/m;
/** Keys that no other YAML with steps has at its top; the language server knows the same. */
const OWN_KEYS = /^(?:capabilities|budget|planners|convergence_target|critic|environments|capture_content)[ \t]*:/m;

/** True for a text with the key `reconverge`, for a template without its version line, and for a file of scenarios. */
export function isTemplate(text: string, file = ''): boolean {
  return VERSION.test(text) || (STEPS.test(text) && OWN_KEYS.test(text)) || /\.scenarios\.ya?ml$/.test(file);
}
