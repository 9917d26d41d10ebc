import { actorClient } from '@steadyhand/statechart/client';
import { runExample } from '../temporal.ts';
import { batchMachine } from './machine.ts';

await runExample({
  workflows: new URL('./workflows.ts', import.meta.url),
  activities: {
    async convert({ file }: { file: string }): Promise<number> {
      console.log(`convert ${file}`);
      if (file === 'broken.png') throw new Error('not a picture');
      await new Promise((resolve) => setTimeout(resolve, 200));
      return file.length;
    },
  },
  async use(client, taskQueue) {
    const input = { files: ['a.png', 'bb.png', 'broken.png', 'ccc.png', 'dddd.png'], atOnce: 2 };
    const actors = actorClient(batchMachine, client, { workflowType: 'batch', taskQueue });
    console.log(await (await actors.start({ workflowId: 'batch-1', input })).result());
  },
});
