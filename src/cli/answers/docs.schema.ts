// The JSON answers of `docs`.
import { list, map, type Static, text } from '../../base/builders.schema.ts';
import { form } from '../../view/shown.schema.ts';

const pageKeys = {
  page: text('The name of the page.'),
  title: text(),
  file: text('The path of the page.'),
};

export const pageList = map({
  folder: text('The folder of the pages.'),
  pages: list(
    map({ ...pageKeys, group: text('The group of pages that it belongs to.') }),
    'The pages, in reading order.',
  ),
});
export type PageListAnswer = Static<typeof pageList>;

export const docsPage = map({ ...pageKeys, text: text('The page, or the named part of it, in Markdown.') });
export type DocsPageAnswer = Static<typeof docsPage>;

export const docsForms = [form(pageList, 'without a page:'), form(docsPage, 'with a page:')];
