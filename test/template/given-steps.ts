// Templates of which a test says only the steps, and what is found in them.
import { loadTemplate } from '../../src/template/load.ts';
import { parseYaml } from '../../src/template/parse/parse-yaml.ts';
import type { Template } from '../../src/template/template.ts';
import { declarations } from './declarations.ts';

function loading(steps: string, top: string) {
  return loadTemplate(parseYaml(`reconverge: 1\nname: case\n${top}\nsteps:\n${steps}`, 'a.yaml'), declarations);
}

/** A template that is right; `top` is what stands above its steps. */
export function template(steps: string, top = ''): Template {
  const loaded = loading(steps, top);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error, null, 2));
  return loaded.value;
}

/** `CODE path` of each finding. */
export function findings(steps: string, top = ''): readonly string[] {
  const loaded = loading(steps, top);
  return (loaded.ok ? loaded.warnings : loaded.error).map(({ code, path }) => `${code} ${path.join('.')}`);
}
