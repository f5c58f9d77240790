// Looks up the meaning of a code in the reference of errors, or in its source in a checkout.
import { existsSync, readFileSync } from 'node:fs';
import { fileOf } from '../docs/library.ts';
import { sectionOf } from '../docs/markdown.ts';
import type { CodeHelp } from './sarif.ts';

/** Reads the reference once, for all codes. */
export function codeHelp(): (code: string) => CodeHelp {
  const page = read('reference/errors.md');
  const rows = page === '' ? read('errors.md') : '';
  return (code) => {
    const section = sectionOf(page, code.toLowerCase());
    if (section !== undefined) {
      const [meaning = '', fix = ''] = section.replace(/^#.*\n+/, '').split(/\n+\*\*Fix:\*\* /);
      return { meaning: meaning.trim(), fix: fix.trim() };
    }
    const [, meaning = '', fix = ''] = new RegExp(`^\\| \`${code}\` \\| (.*?) \\| (.*?) \\|$`, 'm').exec(rows) ?? [];
    return { meaning: sentence(meaning === '' ? code : meaning), fix: sentence(fix === '' ? 'see the message' : fix) };
  };
}

function read(page: string): string {
  return existsSync(fileOf(page)) ? readFileSync(fileOf(page), 'utf8') : '';
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
