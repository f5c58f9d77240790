// Mastra with its LibSQL storage: a workflow of parallel blocks, written out.
import { Mastra } from '@mastra/core';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { z } from 'zod';
import type { Peer } from './peer.ts';

const anything = z.any();

export const peer: Peer = {
  note: 'LibSQLStore as it comes (synchronous=NORMAL)',
  durabilities: ['relaxed'],
  most: 1_000,
  async run(file, { steps, width }, _durability, ended) {
    const execute = async (): Promise<{ readonly n: number }> => {
      ended();
      return { n: 1 };
    };
    const stepAt = (i: number) => createStep({ id: `s${i}`, inputSchema: anything, outputSchema: anything, execute });
    let workflow = createWorkflow({ id: 'layers', inputSchema: anything, outputSchema: anything });
    for (let done = 0; done < steps; done += width)
      workflow = workflow.parallel(Array.from({ length: width }, (_, i) => stepAt(done + i)));
    const storage = new LibSQLStore({ id: 'bench', url: `file:${file}` });
    const mastra = new Mastra({ workflows: { layers: workflow.commit() }, storage, logger: false });
    const run = await mastra.getWorkflow('layers').createRun();
    const began = performance.now();
    const { status } = await run.start({ inputData: {} });
    const took = performance.now() - began;
    if (status !== 'success') throw new Error(`it ended ${status}`);
    return { took };
  },
};
