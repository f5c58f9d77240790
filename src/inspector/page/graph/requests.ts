// Requests to the camera from outside the graph: another level, the whole, or a zoom.
import { signal } from '@preact/signals';
import type { Level } from '../../../view/graph/map/display-list.ts';

export type GraphRequest = { readonly level: Level | undefined } | { readonly fit: true } | { readonly zoom: number };

/** Each request is a new object; the graph answers it and clears the signal. */
export const requested = signal<GraphRequest | undefined>(undefined);
