// The glyph and the words for each shown status, so that color never stands alone.
import type { ShownStatus } from './shown-status.ts';

export const statusGlyphs: Readonly<Record<ShownStatus, string>> = {
  completed: '✓',
  failed: '✗',
  running: '▶',
  retrying: '↻',
  queued: '⋯',
  asks: '?',
  waiting: '·',
  not_run: '–',
  replaced: '⟲',
};

export const statusWords: Readonly<Record<ShownStatus, string>> = {
  completed: 'completed',
  failed: 'failed',
  running: 'running',
  retrying: 'retrying',
  queued: 'queued',
  asks: 'asks you',
  waiting: 'waiting',
  not_run: 'not run',
  replaced: 'replaced',
};
