// Samples for the journal suite: a store under test, and records for it.
import assert from 'node:assert/strict';
import { digestOfText } from '../base/digest.ts';
import { AppendRefused, type RefusalReason } from '../store/append-refused.ts';
import type { Append, Blob, Entry, InboxItem, Journal, TakenItem } from '../store/journal.ts';
import type { FateOf, Holder, Lease } from '../store/lease.ts';

export interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
}

/** An empty store that several journals can connect to, like several processes. */
export interface StoreUnderTest {
  connect(fateOf: FateOf): Promise<Journal>;
  remove(): Promise<void>;
}

export const NOW = 1_790_000_000_000;
export const TTL = 30_000;
export const ONE: Holder = { host: 'one', pid: 11, nonce: 'a' };
export const TWO: Holder = { host: 'two', pid: 22, nonce: 'b', startedAt: 7 };

export function created(journal: Journal, id: string): Promise<Lease> {
  return journal.create({ id, title: `title of ${id}`, createdAt: NOW }, ONE, TTL);
}

/** The answer to a second holder while ONE has the first lease of a stream. */
export const HELD = { ok: false, error: { holder: ONE, until: NOW + TTL } } as const;

export function granted(journal: Journal, stream: string, holder: Holder, now: number): Lease {
  const acquired = journal.acquire(stream, holder, now, TTL);
  if (!acquired.ok) return assert.fail(`the lease of ${stream} was refused to ${holder.nonce}`);
  return acquired.value;
}

export function append(lease: Lease, expected: number, count: number): Append {
  const entries = Array.from({ length: count }, (_, index) => entryOf(expected + index + 1));
  return { stream: lease.stream, expected, epoch: lease.epoch, entries, blobs: [] };
}

export function entryOf(version: number): Entry {
  return { version, type: 3, at: NOW + version, cause: version - 1, payload: `{"n":${version}}` };
}

export function blobOf(text: string): Blob {
  return { digest: digestOfText(text), text };
}

export function takenItem(id: string): TakenItem {
  return { id, answer: '' };
}

export function itemOf(id: string): InboxItem {
  return { id, command: '{"kind":"cancel"}', by: 'ada', why: 'enough', at: NOW };
}

export function idsOf(headers: readonly { readonly id: string }[]): readonly string[] {
  return headers.map((header) => header.id);
}

export function versionsOf(entries: readonly Entry[]): readonly number[] {
  return entries.map((entry) => entry.version);
}

export function isRefusal(reason: RefusalReason): (error: unknown) => boolean {
  return (error) => error instanceof AppendRefused && error.reason === reason;
}

export async function refuses(reason: RefusalReason, write: Promise<unknown>): Promise<void> {
  await assert.rejects(write, isRefusal(reason));
}

/** Registers a test that gets a journal and a way to open further connections to its store. */
export type JournalTest = (
  sentence: string,
  body: (journal: Journal, another: () => Promise<Journal>) => Promise<void>,
) => void;

/** The same, with the fate of each lease holder as the store sees it. */
export type JournalTestWith = (sentence: string, fateOf: FateOf, body: Parameters<JournalTest>[1]) => void;
