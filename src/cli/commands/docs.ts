// docs: prints the pages of the documentation, which the package contains.
import { didYouMean } from '../../base/nearest.ts';
import { type Line, span } from '../../view/line.ts';
import type { DocsPageAnswer, PageListAnswer } from '../answers/docs.schema.ts';
import type { Command } from '../command.ts';
import { docsFolder, fileOf, findPage, type ListedPage, listPages, pageNames, readPage } from '../docs/library.ts';
import { anchorsIn, sectionOf, titleOf } from '../docs/markdown.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { UsageError } from '../usage-error.ts';

const ERRORS = 'reference/errors';

export const command: Command = {
  arguments: [
    {
      name: '[PAGE]',
      description:
        'A page such as gates, a part of one such as gates#give-a-question-a-time-limit, a command, or a code such as STEP_TIMEOUT; by default the list of pages.',
    },
  ],
  flags: [jsonFlag],
  examples: [
    { command: 'reconverge docs', does: 'list the pages' },
    { command: 'reconverge docs quickstart | less', does: 'read a page' },
    { command: 'reconverge docs STEP_TIMEOUT', does: 'explain a code, and how to fix it' },
  ],

  exits: ['done', 'usage', 'fault'],
  async run({ given, terminal }) {
    const name = given.arguments[0];
    if (name === undefined) {
      const pages = listPages();
      if (given.has('json')) terminal.json({ folder: docsFolder, pages } satisfies PageListAnswer);
      else terminal.print(listLines(pages));
      return exitCodes.done;
    }
    const answer = answerTo(name);
    if (given.has('json')) terminal.json(answer);
    else terminal.print(answer.text.trimEnd().split('\n').map(lineOf));
    return exitCodes.done;
  },
};

/** @throws UsageError for an unknown page, part or code */
function answerTo(name: string): DocsPageAnswer {
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(name)) return pagePart(ERRORS, name.toLowerCase(), name);
  const [called = '', part] = name.split('#');
  const found = findPage(called);
  if (found === undefined) throw unknownPage(called);
  const [path = '', anchor] = found.split('#');
  return pagePart(path, part ?? anchor, name);
}

function pagePart(path: string, anchor: string | undefined, name: string): DocsPageAnswer {
  if (path === ERRORS && findPage(ERRORS) === undefined) throw unknownPage(ERRORS);
  const page = readPage(path);
  const text = anchor === undefined ? page : sectionOf(page, anchor);
  if (text === undefined) {
    const known = anchorsIn(page).slice(1);
    const shown = path === ERRORS ? known.filter((each) => each.length > 1).map((each) => each.toUpperCase()) : known;
    const hint =
      didYouMean(path === ERRORS ? name : (anchor ?? ''), shown) ??
      (path === ERRORS ? '' : `the parts are ${known.join(', ')}`);
    throw new UsageError([`the documentation has no "${name}"`, hint].filter((each) => each !== '').join('; '));
  }
  return { page: path.replace(/\/README$/, ''), title: titleOf(page), file: fileOf(`${path}.md`), text };
}

function unknownPage(name: string): UsageError {
  if (findPage('reference') === undefined && /^reference\b/.test(name))
    return new UsageError('this checkout has no reference yet; build it: npm run reference');
  const hint = didYouMean(name, pageNames()) ?? 'list the pages: reconverge docs';
  return new UsageError(`there is no page "${name}"; ${hint}`);
}

function listLines(pages: readonly ListedPage[]): readonly Line[] {
  const width = Math.max(...pages.map(({ page }) => page.length));
  const groups = Map.groupBy(pages, ({ group }) => group);
  return [
    ...[...groups].flatMap(([group, members]) => [
      [span(group, 'strong')],
      ...members.map(({ page, title }) => [span(`  ${page.padEnd(width)}  `), span(title)]),
      [],
    ]),
    [span(`Read one with "reconverge docs quickstart". The files are in ${docsFolder}`, 'dim')],
  ];
}

function lineOf(text: string): Line {
  return [span(text, /^#+ /.test(text) ? 'strong' : undefined)];
}
