import { actorClient } from '@steadyhand/statechart/client';
import { runExample } from '../temporal.ts';
import { approvalMachine } from './machine.ts';

let reminded = (): void => undefined;
const aReminder = new Promise<void>((resolve) => (reminded = resolve));

await runExample({
  workflows: new URL('./workflows.ts', import.meta.url),
  activities: {
    async remind({ document, missing }: { document: string; missing: number }): Promise<null> {
      console.log(`reminder: ${document} lacks ${missing}`);
      reminded();
      return await Promise.resolve(null);
    },
  },
  async use(client, taskQueue) {
    const input = { document: 'budget', needed: 2, remindEvery: 500, giveUpAfter: 60_000 };
    const approvals = actorClient(approvalMachine, client, { workflowType: 'approval', taskQueue });
    const budget = await approvals.start({ workflowId: 'approval-budget', input });
    await aReminder;
    // It answers with the state that the event has led to; an event that changes nothing is refused.
    for (const by of ['ann', 'ann', 'bob']) {
      const answer = budget.sendAndWait({ type: 'approve', by });
      const printed = answer.then(
        ({ state }) => state,
        (error: Error) => error.message,
      );
      console.log(by, await printed);
    }
    console.log(await budget.result());
  },
});
