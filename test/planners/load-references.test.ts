// The references of a brief: loaded lazily, once each, and up to a limit.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import type { Reference } from '../../src/base/references.ts';
import { MOST_READ, readInFull } from '../../src/planners/load-references.ts';
import { brief } from './given-brief.ts';

const kept: Readonly<Record<string, Json>> = {
  listing: { rows: [{ id: 1 }, { id: 2 }] },
  other: 'text',
};

function reading(packet: Json, references: readonly Reference[]) {
  const loads: string[] = [];
  const told = { ...brief, packet, references, shown: { for: 'a model' } };
  const read = readInFull(told, {
    read: (digest) => {
      loads.push(digest);
      return kept[digest] ?? null;
    },
    refuse: (message, hint) => new Error(`${message}; ${hint}`),
  });
  return { told, read, packet: read.packet as { results: Record<string, Json>; needs: Record<string, Json> }, loads };
}

const at = (section: string, name: string, digest: string, more: Partial<Reference> = {}): Reference => ({
  at: ['packet', section, name],
  digest,
  bytes: 100,
  ...more,
});

describe('a brief with references', () => {
  const packet = { results: { list: null, other: null, small: 1 }, needs: { ids: null, gone: null } };
  const references = [
    at('results', 'list', 'listing'),
    at('results', 'other', 'other'),
    at('needs', 'ids', 'listing', { path: ['rows', '*', 'id'] }),
    at('needs', 'gone', 'listing', { path: ['columns'] }),
  ];

  it('loads only values that are read, each of them once', () => {
    const { packet: read, loads } = reading(packet, references);
    expect(Object.keys(read.results)).toEqual(['list', 'other', 'small']);
    expect(loads).toEqual([]);
    expect(read.results.list).toEqual(kept.listing);
    expect(read.needs.ids).toEqual([1, 2]);
    expect(read.results.list).toBe(read.results.list);
    expect(loads).toEqual(['listing']);
  });

  it('holds null for a path that does not exist', () => {
    expect(reading(packet, references).packet.needs.gone).toBeNull();
  });

  it('copies as plain JSON and leaves the original brief unchanged', () => {
    const { told, read } = reading(packet, references);
    const copy = JSON.parse(JSON.stringify(read));
    expect(copy.packet.results).toEqual({ list: kept.listing, other: 'text', small: 1 });
    expect(copy).not.toHaveProperty('references');
    expect(copy).not.toHaveProperty('shown');
    expect(told.packet).toBe(packet);
  });

  it('refuses to load more than the limit', () => {
    const large = [
      at('results', 'list', 'listing', { bytes: MOST_READ }),
      at('results', 'other', 'other', { bytes: 1 }),
    ];
    const { packet: read } = reading(packet, large);
    expect(read.results.list).toEqual(kept.listing);
    expect(() => read.results.other).toThrow('the planner reads more than 16 MB of results');
    expect(reading(packet, large).packet.results.other).toBe('text');
  });
});
