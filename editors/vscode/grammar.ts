// Builds the TextMate grammars: Lisp, where a template holds Lisp, references, and where a template begins.
import { builtinNames } from '../../src/lisp/builtins.ts';
import { specialForms } from '../../src/lisp/special-forms.ts';
import { referenceRoots } from '../../src/template/references.ts';

export interface Rule {
  readonly name?: string;
  readonly contentName?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly while?: string;
  readonly include?: string;
  readonly captures?: Captures;
  readonly beginCaptures?: Captures;
  readonly endCaptures?: Captures;
  readonly patterns?: readonly Rule[];
}

type Captures = Readonly<Record<string, { readonly name: string }>>;

export interface Grammar {
  readonly scopeName: string;
  readonly name: string;
  readonly injectionSelector?: string;
  readonly patterns: readonly Rule[];
  readonly repository?: Readonly<Record<string, { readonly patterns: readonly Rule[] }>>;
}

/** A character of a symbol. */
const SIGN = '[^\\s,()\\[\\]{}"`;@^~\\\\]';
const OPENS = `(?<=[(]|[(]\\s)`;
const definitions = ['def', 'defn', 'defn-'];

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const anyOf = (words: readonly string[]): string =>
  words
    .toSorted((left, right) => right.length - left.length)
    .map(escaped)
    .join('|');
const word = (pattern: string): string => `(?:(?<!${SIGN})|(?<=#_))(?:${pattern})(?!${SIGN})`;

const controls = anyOf(specialForms.map(({ name }) => name).filter((name) => !definitions.includes(name)));
/** The short names of namespaces: `str/join` is `string/join`. */
const functions = `(?:str|clojure\\.(?:string|set|walk))/${SIGN}+|${anyOf(builtinNames())}`;

const strings: readonly Rule[] = [
  {
    name: 'string.regexp.lisp',
    begin: '#"',
    end: '"',
    patterns: [{ name: 'constant.character.escape.lisp', match: '\\\\.' }],
  },
  {
    name: 'string.quoted.double.lisp',
    begin: '"',
    end: '"',
    patterns: [{ name: 'constant.character.escape.lisp', match: '\\\\.' }],
  },
];

/** In a YAML string in double quotes, a backslash stands before each quote of the Lisp. */
const stringsInQuotes: readonly Rule[] = [
  {
    name: 'string.regexp.lisp',
    begin: '#\\\\"',
    end: '\\\\"|(?=")',
    patterns: [{ name: 'constant.character.escape.lisp', match: '\\\\\\\\(?:\\\\.|.)' }],
  },
  {
    name: 'string.quoted.double.lisp',
    begin: '\\\\"',
    end: '\\\\"|(?=")',
    patterns: [{ name: 'constant.character.escape.lisp', match: '\\\\\\\\(?:\\\\.|.)' }],
  },
];

const atoms: readonly Rule[] = [
  { name: 'comment.line.semicolon.lisp', match: ';.*$' },
  { name: 'punctuation.definition.comment.lisp', match: '#_' },
  { name: 'constant.character.lisp', match: `\\\\(?:u[0-9A-Fa-f]{4}|[a-z]{2,}|[^\\s"])` },
  { name: 'constant.other.keyword.lisp', match: `(?<!${SIGN})::?${SIGN}+` },
  {
    name: 'constant.numeric.lisp',
    match: word('[+-]?(?:0[xX][0-9a-fA-F]+|\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?|\\d+[rR]\\w+|\\d+/\\d+)[NM]?'),
  },
  { name: 'constant.language.lisp', match: `${word('nil|true|false')}|##(?:-?Inf|NaN)` },
  { name: 'support.variable.reconverge', match: word(`data/${SIGN}+`) },
  { name: 'variable.parameter.lisp', match: word('%(?:\\d+|&)?') },
  {
    match: `${OPENS}(${anyOf(definitions)})\\s+(${SIGN}+)`,
    captures: { 1: { name: 'keyword.declaration.lisp' }, 2: { name: 'entity.name.function.lisp' } },
  },
  { name: 'keyword.control.lisp', match: `${OPENS}(?:${controls})(?!${SIGN})` },
  { name: 'support.function.lisp', match: word(functions) },
  { name: 'entity.name.function.call.lisp', match: `${OPENS}${SIGN}+` },
  { name: 'variable.other.lisp', match: `${SIGN}+` },
  { name: 'punctuation.section.lisp', match: '#?[({]|[)\\[\\]}]' },
];

const lisp: Grammar = {
  scopeName: 'source.reconverge.lisp',
  name: 'Reconverge Lisp',
  patterns: [...strings, ...atoms],
  repository: { inQuotes: { patterns: [...stringsInQuotes, ...atoms] } },
};

/** Keys whose text is Lisp without a tag. */
const lispKeys = anyOf(['when', 'verification', 'expr', 'choose', 'source', 'repair', 'lisp']);
/** Only blanks stand before it in the line. The grammar of YAML may have passed them already. */
const INDENT = '(?<=^( *))';
const AFTER_DASH = '(?<=^( *)-[ \\t]+)()';
const GAP = '[ \\t]+';
const COLON = '[ \\t]*(:)[ \\t]+';
const KEY = '([\\w.-]+|"[^"]*")';
/** A key and the tag, or one of the keys for Lisp: groups 3 to 7. `then` looks at what follows a key without a tag. */
const head = (then: string, tagged = ''): string =>
  `(?:${KEY}${COLON}(!lisp)(?:${GAP}|$)${tagged}|(${lispKeys})${COLON}${then})`;
/** The end of the line above Lisp in a block, such as `|`, `>-`, `|2` or nothing: groups 8 and 9. */
const BLOCK = '([|>][-+1-9]*)?[ \\t]*(#.*)?$';
/**
 * Lines that are indented more than the key belong to its value; a key after "- " stands two columns further right. The
 * text of group 1 is filled in. The grammar of YAML may have passed some of the blanks already.
 */
const below = (more: string): string => `(?:^|\\G)(?=[ \\t]*(?:(?<=^\\1${more})\\S|$))`;
const DEEPER = below('[ \\t]+');
const DEEPER_IN_LIST = below(' {3,}');
const EMBEDDED = 'meta.embedded.lisp.reconverge';
const headCaptures: Captures = {
  2: { name: 'punctuation.definition.block.sequence.item.yaml' },
  3: { name: 'entity.name.tag.yaml' },
  4: { name: 'punctuation.separator.key-value.mapping.yaml' },
  5: { name: 'storage.type.tag-handle.yaml' },
  6: { name: 'entity.name.tag.yaml' },
  7: { name: 'punctuation.separator.key-value.mapping.yaml' },
};
const blockCaptures: Captures = {
  ...headCaptures,
  8: { name: 'keyword.control.flow.block-scalar.yaml' },
  9: { name: 'comment.line.number-sign.yaml' },
};
const itemCaptures: Captures = {
  2: { name: 'punctuation.definition.block.sequence.item.yaml' },
  3: { name: 'storage.type.tag-handle.yaml' },
  4: { name: 'keyword.control.flow.block-scalar.yaml' },
  5: { name: 'comment.line.number-sign.yaml' },
};
const theLisp: Rule = { include: 'source.reconverge.lisp' };
const comment: Rule = { name: 'comment.line.number-sign.yaml', match: '(?<=\\s)#(?![({"_]).*$' };

const inBlock = (begin: string, lines: string, beginCaptures: Captures): Rule => ({
  begin: `${begin}${BLOCK}`,
  while: lines,
  beginCaptures,
  contentName: EMBEDDED,
  patterns: [theLisp],
});
const inPlain = (begin: string, lines: string, beginCaptures: Captures): Rule => ({
  begin,
  while: lines,
  beginCaptures,
  contentName: EMBEDDED,
  patterns: [comment, theLisp],
});
/** Within quotes; `group` is that of the opening quote. */
const inQuotes = (begin: string, group: number, captures: Captures): readonly Rule[] => [
  {
    begin: `${begin}(")`,
    end: '"',
    beginCaptures: { ...captures, [group]: { name: 'punctuation.definition.string.begin.yaml' } },
    endCaptures: { 0: { name: 'punctuation.definition.string.end.yaml' } },
    contentName: EMBEDDED,
    patterns: [{ include: 'source.reconverge.lisp#inQuotes' }],
  },
  {
    begin: `${begin}(')`,
    end: `'(?!')`,
    beginCaptures: { ...captures, [group]: { name: 'punctuation.definition.string.begin.yaml' } },
    endCaptures: { 0: { name: 'punctuation.definition.string.end.yaml' } },
    contentName: EMBEDDED,
    patterns: [{ name: 'constant.character.escape.yaml', match: `''` }, theLisp],
  },
];
const NO_SCALAR_MARK = `(?=[^\\s|>"'])`;
const TAG = { 1: { name: 'storage.type.tag-handle.yaml' } };

const expressions: Grammar = {
  scopeName: 'source.reconverge.expressions',
  name: 'Lisp in Reconverge templates',
  injectionSelector: `L:meta.template.reconverge - string - comment - ${EMBEDDED}`,
  patterns: [
    inBlock(`${INDENT}()${head('(?=[|>])')}`, DEEPER, blockCaptures),
    inBlock(`${INDENT}(-)${GAP}${head('(?=[|>])')}`, DEEPER_IN_LIST, blockCaptures),
    inBlock(`${INDENT}(-)${GAP}(!lisp)(?:${GAP}|$)`, DEEPER, itemCaptures),
    inBlock(`${AFTER_DASH}${head('(?=[|>])')}`, DEEPER_IN_LIST, blockCaptures),
    inBlock(`${AFTER_DASH}(!lisp)(?:${GAP}|$)`, DEEPER, itemCaptures),
    inPlain(`${INDENT}()${head('(?=[(])', NO_SCALAR_MARK)}`, DEEPER, headCaptures),
    inPlain(`${INDENT}(-)${GAP}${head('(?=[(])', NO_SCALAR_MARK)}`, DEEPER_IN_LIST, headCaptures),
    inPlain(`${INDENT}(-)${GAP}(!lisp)${GAP}${NO_SCALAR_MARK}`, DEEPER, itemCaptures),
    inPlain(`${AFTER_DASH}${head('(?=[(])', NO_SCALAR_MARK)}`, DEEPER_IN_LIST, headCaptures),
    inPlain(`${AFTER_DASH}(!lisp)${GAP}${NO_SCALAR_MARK}`, DEEPER, itemCaptures),
    ...inQuotes(`${AFTER_DASH}${head(`(?=["'][ \\t]*[(])`)}`, 8, headCaptures),
    ...inQuotes(`${INDENT}(-?)[ \\t]*${head(`(?=["'][ \\t]*[(])`)}`, 8, headCaptures),
    // Anywhere else in a line: in a list, or in a map in braces, where a comma or a bracket ends a plain scalar.
    ...inQuotes(`(!lisp)${GAP}`, 2, TAG),
    {
      begin: `(!lisp)${GAP}${NO_SCALAR_MARK}`,
      end: '(?=[,\\]}]|$|\\s#)',
      beginCaptures: TAG,
      contentName: EMBEDDED,
      patterns: [theLisp],
    },
    { match: '!lisp\\b', name: 'storage.type.tag-handle.yaml' },
  ],
};

const references: Grammar = {
  scopeName: 'source.reconverge.references',
  name: 'References in Reconverge templates',
  injectionSelector: `L:meta.template.reconverge - comment - ${EMBEDDED} - meta.embedded.reference.reconverge`,
  patterns: [
    {
      name: 'meta.embedded.reference.reconverge',
      begin: '\\{\\{',
      end: '\\}\\}|$',
      beginCaptures: { 0: { name: 'punctuation.definition.template-expression.begin.reconverge' } },
      endCaptures: { 0: { name: 'punctuation.definition.template-expression.end.reconverge' } },
      patterns: [
        { match: `\\b(?<![.\\w])(?:${anyOf(referenceRoots)})\\b`, name: 'support.variable.reconverge' },
        {
          match: '(\\.)([A-Za-z0-9_$-]+)',
          captures: {
            1: { name: 'punctuation.accessor.reconverge' },
            2: { name: 'variable.other.property.reconverge' },
          },
        },
        {
          match: `(\\[)(?:(\\d+)|((?:\\\\?"|')[^"']*(?:\\\\?"|')))(\\])`,
          captures: {
            1: { name: 'punctuation.accessor.reconverge' },
            2: { name: 'constant.numeric.reconverge' },
            3: { name: 'string.quoted.reconverge' },
            4: { name: 'punctuation.accessor.reconverge' },
          },
        },
      ],
    },
    {
      match: '(\\$\\{)(env)(\\.)(\\w+)(?:(:-)([^}]*))?(\\})',
      name: 'meta.embedded.environment.reconverge',
      captures: {
        1: { name: 'punctuation.definition.template-expression.begin.reconverge' },
        2: { name: 'support.variable.reconverge' },
        3: { name: 'punctuation.accessor.reconverge' },
        4: { name: 'variable.other.property.reconverge' },
        5: { name: 'keyword.operator.reconverge' },
        6: { name: 'string.unquoted.reconverge' },
        7: { name: 'punctuation.definition.template-expression.end.reconverge' },
      },
    },
  ],
};

/** Marks the rest of a file as a template, from its first key on, so that the other grammars leave all other YAML alone. */
const template: Grammar = {
  scopeName: 'source.reconverge.template',
  name: 'Reconverge templates',
  injectionSelector: 'L:source.yaml - meta.template.reconverge - string - comment',
  patterns: [
    {
      begin: '^(?=["\']?reconverge["\']?[ \\t]*:)',
      end: '(?!)',
      contentName: 'meta.template.reconverge',
      patterns: [{ include: 'source.yaml' }],
    },
  ],
};

/** The grammars by the names of their files. */
export const grammars: Readonly<Record<string, Grammar>> = { template, expressions, references, lisp };
