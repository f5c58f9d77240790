// Tokenizes text as VS Code does: the YAML grammar, with the grammars of the extension injected.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import { grammars } from '../grammar.ts';

const require = createRequire(import.meta.url);
const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
await oniguruma.loadWASM(wasm);

const own = Object.fromEntries(Object.values(grammars).map((each) => [each.scopeName, each]));

const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  getInjections: (scope) =>
    scope === 'source.yaml' ? Object.keys(own).filter((each) => each !== 'source.reconverge.lisp') : [],
  async loadGrammar(scope) {
    const text = own[scope] === undefined ? yamlGrammar(scope) : JSON.stringify(own[scope]);
    return textmate.parseRawGrammar(text, `${scope}.json`);
  },
});

/** The grammar of YAML from `tm-grammars`, or the newer ones of an installed VS Code: its folder `extensions/yaml/syntaxes`. */
function yamlGrammar(scope: string): string {
  const folder = process.env.VSCODE_YAML_GRAMMARS;
  if (folder === undefined) return readFileSync(require.resolve('tm-grammars/grammars/yaml.json'), 'utf8');
  const version = scope.replace(/^source\.yaml\.?/, '');
  return readFileSync(join(folder, `yaml${version === '' ? '' : `-${version}`}.tmLanguage.json`), 'utf8');
}

export interface Token {
  readonly text: string;
  readonly line: number;
  readonly scopes: readonly string[];
}

/** The tokens of a text, without those of blanks. */
export async function tokensOf(text: string): Promise<readonly Token[]> {
  const grammar = await registry.loadGrammar('source.yaml');
  if (grammar === null) throw new Error('the YAML grammar was not loaded');
  let stack = textmate.INITIAL;
  return text.split('\n').flatMap((line, index) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    return tokens
      .map(({ startIndex, endIndex, scopes }) => ({ text: line.slice(startIndex, endIndex), line: index + 1, scopes }))
      .filter((each) => each.text.trim() !== '');
  });
}
