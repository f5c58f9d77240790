// Reconverge: the job of layers.ts, with contracts, ledger and events.
import { runLayered } from '../layered.ts';
import type { Peer } from './peer.ts';

export const peer: Peer = {
  note: 'SQLite; contracts, ledger and events on',
  durabilities: ['strict', 'relaxed'],
  most: Number.POSITIVE_INFINITY,
  async run(file, layers, durability, ended) {
    const { perStep } = await runLayered(file, layers, durability, undefined, ended);
    return { took: (perStep * layers.steps) / 1_000 };
  },
};
