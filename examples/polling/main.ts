import { actorClient } from '@steadyhand/statechart/client';
import { runExample } from '../temporal.ts';
import { pollingMachine } from './machine.ts';

let began = 0;
let looks = 0;

await runExample({
  workflows: new URL('./workflows.ts', import.meta.url),
  activities: {
    async look({ id }: { id: string }): Promise<string | null> {
      looks += 1;
      began ||= Date.now();
      console.log(`look ${looks} at ${id} after ${((Date.now() - began) / 1000).toFixed(1)} s`);
      if (looks === 2) throw new Error('the service is away');
      return await Promise.resolve(looks < 5 ? null : 'a report');
    },
  },
  async use(client, taskQueue) {
    const input = { id: 'job-7', interval: 100, maxInterval: 1000, deadline: 60_000 };
    const actors = actorClient(pollingMachine, client, { workflowType: 'polling', taskQueue });
    console.log(await (await actors.start({ workflowId: 'polling-7', input })).result());
  },
});
