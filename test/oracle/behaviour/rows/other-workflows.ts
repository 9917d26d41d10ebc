import type { Request, Row, RowClient } from '../row-client.ts';
import { NO_RUN, command, completion, json, payloads } from './values.ts';

const child = (s: RowClient, more: Request = {}): Request =>
  command('startChildWorkflowExecution', {
    workflowId: s.id('child'),
    workflowType: { name: 'c' },
    taskQueue: { name: s.id('children') },
    ...more,
  });
const children = (s: RowClient): string => s.id('children');

/** A parent whose child has begun: its task that tells of that is done. */
async function parent(s: RowClient, more: Request = {}): Promise<void> {
  await s.start();
  await s.complete(await s.task(), [child(s, more)]);
  await s.complete(await s.task());
}

/** How a child ends, and what its parent and it have in their histories then. */
const ended = (name: string, end: (s: RowClient) => Promise<unknown>): Row => ({
  name: `child: ${name}`,
  run: async (s) => {
    await parent(s);
    await end(s);
    await s.task();
    await s.history(s.id('w'));
    await s.history(s.id('child'));
  },
});

const closes = (policy: string, how: 'ends' | 'is terminated' | 'goes on as new'): Row => ({
  name: `child: parent close policy ${policy}, the parent ${how}`,
  run: async (s) => {
    await parent(s, { parentClosePolicy: `PARENT_CLOSE_POLICY_${policy}` });
    await s.task(children(s));
    const workflowExecution = { workflowId: s.id('w') };
    if (how === 'is terminated') {
      await s.do('terminateWorkflowExecution', { workflowExecution });
    } else {
      await s.do('signalWorkflowExecution', { workflowExecution, signalName: 'end' });
      await s.complete(await s.task(), [
        how === 'ends'
          ? completion
          : command('continueAsNewWorkflowExecution', { workflowType: { name: 'n' } }),
      ]);
    }
    if (policy !== 'ABANDON')
      await s.until(s.id('child'), (types) => types.some((t) => /TERM|CANCEL/.test(t)));
    await s.history(s.id('child'));
  },
});

const outside = (name: string, attributes: (s: RowClient) => Request): Row => ({
  name: `external ${name}`,
  run: async (s) => {
    const [kind, request] = Object.entries(attributes(s))[0] as [string, Request];
    await s.start();
    await s.start({ workflowId: s.id('other'), taskQueue: { name: s.id('others') } });
    await s.complete(await s.task(), [command(kind, request)]);
    await s.task();
    await s.history(s.id('w'));
    await s.history(s.id('other'));
  },
});
const SIGNAL = 'signalExternalWorkflowExecution';
const CANCEL = 'requestCancelExternalWorkflowExecution';

export const otherWorkflows: readonly Row[] = [
  ended('completes', async (s) => {
    await s.complete(await s.task(children(s)), [
      command('completeWorkflowExecution', { result: payloads('r') }),
    ]);
  }),
  ended('fails', async (s) => {
    await s.complete(await s.task(children(s)), [
      command('failWorkflowExecution', { failure: { message: 'f', applicationFailureInfo: { type: 'T' } } }),
    ]);
  }),
  ended('is canceled', async (s) => {
    await s.do('requestCancelWorkflowExecution', { workflowExecution: { workflowId: s.id('child') } });
    await s.complete(await s.task(children(s)), [command('cancelWorkflowExecution')]);
  }),
  ended('is terminated', async (s) => {
    await s.do('terminateWorkflowExecution', { workflowExecution: { workflowId: s.id('child') } });
  }),
  ended('goes on as new and completes', async (s) => {
    const more = { workflowType: { name: 'n' } };
    await s.complete(await s.task(children(s)), [command('continueAsNewWorkflowExecution', more)]);
    await s.complete(await s.task(children(s)), [completion]);
  }),
  {
    name: 'child: the id is taken',
    run: async (s) => {
      await s.start({ workflowId: s.id('child'), taskQueue: { name: children(s) } });
      await s.start();
      await s.complete(await s.task(), [child(s)]);
      await s.task();
      await s.history(s.id('w'));
    },
  },
  {
    name: 'child: the id is free again, but the policy rejects it',
    run: async (s) => {
      await s.start({ workflowId: s.id('child'), taskQueue: { name: children(s) } });
      await s.complete(await s.task(children(s)), [completion]);
      await s.start();
      await s.complete(await s.task(), [
        child(s, { workflowIdReusePolicy: 'WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE' }),
      ]);
      await s.task();
      await s.history(s.id('w'));
    },
  },
  {
    name: 'child: two of the same id',
    run: async (s) => {
      await s.start();
      await s.complete(await s.task(), [child(s), child(s)]);
    },
  },
  {
    name: 'child: all that it is given, and what is told of it',
    run: async (s) => {
      await parent(s, {
        input: payloads('in'),
        header: { fields: { h: json(1) } },
        memo: { fields: { m: json(1) } },
        searchAttributes: { indexedFields: { RowKeyword: json('k') } },
        retryPolicy: { maximumAttempts: 2 },
        workflowRunTimeout: { seconds: 50 },
        workflowTaskTimeout: { seconds: 5 },
        priority: { priorityKey: 2 },
        control: 'control',
      });
      await s.history(s.id('w'));
      await s.history(s.id('child'));
      await s.call('describeWorkflowExecution', { execution: { workflowId: s.id('w') } }, 'the parent');
      await s.call('describeWorkflowExecution', { execution: { workflowId: s.id('child') } }, 'the child');
    },
  },
  {
    name: 'child: canceled by its parent',
    run: async (s) => {
      await parent(s);
      const workflowExecution = { workflowId: s.id('w') };
      await s.do('signalWorkflowExecution', { workflowExecution, signalName: 'cancel' });
      await s.complete(await s.task(), [
        command(CANCEL, { workflowId: s.id('child'), childWorkflowOnly: true, reason: 'why' }),
      ]);
      await s.task();
      await s.history(s.id('w'));
      await s.history(s.id('child'));
    },
  },
  ...['TERMINATE', 'ABANDON', 'REQUEST_CANCEL', 'UNSPECIFIED'].map((policy) => closes(policy, 'ends')),
  ...['TERMINATE', 'ABANDON', 'REQUEST_CANCEL'].map((policy) => closes(policy, 'is terminated')),
  closes('TERMINATE', 'goes on as new'),
  outside('signal', (s) => ({
    [SIGNAL]: { execution: { workflowId: s.id('other') }, signalName: 's', input: payloads(1), control: 'c' },
  })),
  outside('signal: a header', (s) => ({
    [SIGNAL]: {
      execution: { workflowId: s.id('other') },
      signalName: 's',
      header: { fields: { h: json(1) } },
    },
  })),
  outside('signal: workflow unknown', (s) => ({
    [SIGNAL]: { execution: { workflowId: s.id('unknown') }, signalName: 's' },
  })),
  outside('signal: run unknown', (s) => ({
    [SIGNAL]: { execution: { workflowId: s.id('other'), runId: NO_RUN }, signalName: 's' },
  })),
  outside('signal: not its child', (s) => ({
    [SIGNAL]: { execution: { workflowId: s.id('other') }, signalName: 's', childWorkflowOnly: true },
  })),
  outside('signal: to itself', (s) => ({
    [SIGNAL]: { execution: { workflowId: s.id('w') }, signalName: 's' },
  })),
  outside('cancel', (s) => ({ [CANCEL]: { workflowId: s.id('other'), reason: 'why', control: 'c' } })),
  outside('cancel: workflow unknown', (s) => ({ [CANCEL]: { workflowId: s.id('unknown') } })),
  outside('cancel: run unknown', (s) => ({ [CANCEL]: { workflowId: s.id('other'), runId: NO_RUN } })),
  outside('cancel: not its child', (s) => ({
    [CANCEL]: { workflowId: s.id('other'), childWorkflowOnly: true },
  })),
];
