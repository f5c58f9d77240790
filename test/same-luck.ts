// The seed of every property: the same on every machine, so that what passes here passes there; `RECONVERGE_LONG=1` tries new luck each time. A failure prints its seed.
import fc from 'fast-check';

if (process.env.RECONVERGE_LONG !== '1') fc.configureGlobal({ seed: 2_024 });
