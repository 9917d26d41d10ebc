import { actorClient } from '@steadyhand/statechart/client';
import { runExample } from '../temporal.ts';
import { lightMachine } from './machine.ts';

await runExample({
  workflows: new URL('./workflows.ts', import.meta.url),
  async use(client, taskQueue) {
    const lights = actorClient(lightMachine, client, { workflowType: 'light', taskQueue });
    const input = { green: 300, yellow: 100, red: 200 };
    const light = await lights.start({ workflowId: 'light-1', input });
    const { runId: first } = await light.describe();
    let greens = 0;
    // The changes of all runs, one after the other.
    for await (const change of light.subscribe()) {
      if (change.type !== 'state') continue;
      console.log(change.state);
      if (change.state === 'working.green' && ++greens > 5) break;
    }
    const { runId } = await light.describe();
    console.log(runId === first ? 'the first run' : 'a later run', 'is at work');
    await light.workflow.terminate('the example is over');
  },
});
