import proto from '@temporalio/proto';
import type { Request, Row, RowClient, WorkflowTask } from '../row-client.ts';
import { NO_RUN, command, completion, json, long, payloads } from './values.ts';

const execution = (s: RowClient, more: Request = {}): Request => ({
  workflowExecution: { workflowId: s.id('w'), ...more },
});
const accepted = { lifecycleStage: 'UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED' };
const completed = { lifecycleStage: 'UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED' };
const update = (s: RowClient, request: Request = {}): Request => ({
  ...execution(s),
  waitPolicy: accepted,
  request: { meta: { updateId: 'u', identity: 'me' }, input: { name: 'up', args: payloads(1) } },
  ...request,
});

const wrongUpdate = (name: string, request: (s: RowClient) => Request): Row => ({
  name: `update: ${name}`,
  run: async (s) => {
    await s.start();
    await s.call('updateWorkflowExecution', update(s, request(s)));
  },
});
const wrongQuery = (name: string, request: (s: RowClient) => Request): Row => ({
  name: `query: ${name}`,
  run: async (s) => {
    await s.start();
    await s.call('queryWorkflow', {
      execution: { workflowId: s.id('w') },
      query: { queryType: 'q' },
      ...request(s),
    });
  },
});

/** Starts a run whose first task is done, so that an update comes alone. */
async function idle(s: RowClient): Promise<void> {
  await s.start();
  await s.complete(await s.task());
}

/** A worker's refusal of the only update that a task carries. */
function refusal({ messages }: Pick<WorkflowTask, 'messages'>): Request {
  const [message] = messages;
  if (messages.length !== 1 || !message) throw new Error(`${messages.length} updates came, not one`);
  const { Rejection, Request: UpdateRequest } = proto.temporal.api.update.v1;
  const value = Rejection.encode({
    rejectedRequestMessageId: message.id ?? '',
    rejectedRequestSequencingEventId: message.eventId ?? null,
    rejectedRequest: UpdateRequest.decode(message.body?.value ?? new Uint8Array()),
    failure: { message: 'not now', applicationFailureInfo: { type: 'No' } },
  }).finish();
  return {
    id: `${message.protocolInstanceId}/reject`,
    protocolInstanceId: message.protocolInstanceId,
    body: { type_url: 'type.googleapis.com/temporal.api.update.v1.Rejection', value },
  };
}

/** Asks for an update of this id and waits until the server has it; what it answers comes later. */
async function ask(s: RowClient, updateId: string): Promise<{ readonly answer: Promise<unknown> }> {
  const request = { meta: { updateId, identity: 'me' }, input: { name: 'up', args: payloads(1) } };
  const answer = s.call('updateWorkflowExecution', update(s, { request }), `update ${updateId}`);
  await s.admitted(s.id('w'), updateId);
  return { answer };
}

/** A worker has a task, an update comes meanwhile, and the worker answers. */
const meanwhile = (
  name: string,
  { carriesUpdate, asksForNext }: { readonly carriesUpdate: boolean; readonly asksForNext: boolean },
): Row => ({
  name: `update: comes while a worker has ${name}`,
  run: async (s) => {
    if (carriesUpdate) await idle(s);
    else await s.start();
    const first = carriesUpdate ? await ask(s, 'first') : undefined;
    const task = await s.task();
    const second = await ask(s, 'second');
    const reply = await s.call('respondWorkflowTaskCompleted', {
      taskToken: task.taskToken,
      messages: carriesUpdate ? [refusal(task)] : [],
      returnNewWorkflowTask: asksForNext,
    });
    const next = reply?.workflowTask ?? (await s.task());
    await s.call('respondWorkflowTaskCompleted', {
      taskToken: next.taskToken,
      messages: [refusal({ messages: next.messages ?? [] })],
    });
    await first?.answer;
    await second.answer;
    await s.history(s.id('w'));
  },
});

const closedQuery = (name: string, condition: string): Row => ({
  name: `query of a closed run: ${name}`,
  run: async (s) => {
    await s.start();
    await s.complete(await s.task(), [completion]);
    const asked = s.call('queryWorkflow', {
      execution: { workflowId: s.id('w') },
      query: { queryType: 'q' },
      queryRejectCondition: `QUERY_REJECT_CONDITION_${condition}`,
    });
    if (condition === 'NONE') await answerQuery(s, { queryResult: payloads('fine') });
    await asked;
  },
});

async function answerQuery(s: RowClient, answer: Request): Promise<void> {
  const { taskToken } = await s.task();
  await s.call('respondQueryTaskCompleted', {
    taskToken,
    completedType: 'QUERY_RESULT_TYPE_ANSWERED',
    ...answer,
  });
}

const answered = (name: string, answer: Request): Row => ({
  name: `query that a worker answers: ${name}`,
  run: async (s) => {
    await idle(s);
    const asked = s.call('queryWorkflow', {
      execution: { workflowId: s.id('w') },
      query: { queryType: 'q', queryArgs: payloads('arg'), header: { fields: { h: json(1) } } },
    });
    const { taskToken, ...task } = await s.task();
    await s.call('respondQueryTaskCompleted', { taskToken, ...answer });
    await asked;
    if (task.history?.events?.length === 0) throw new Error('a query came without a history');
  },
});

export const updatesAndQueries: readonly Row[] = [
  wrongUpdate('request unset', () => ({ request: null })),
  wrongUpdate('input unset', () => ({ request: { meta: { updateId: 'u' } } })),
  wrongUpdate('name empty', () => ({ request: { meta: { updateId: 'u' }, input: { name: '' } } })),
  wrongUpdate('update id of 1001', () => ({
    request: { meta: { updateId: long(1001) }, input: { name: 'u' } },
  })),
  wrongUpdate('identity of 1001', () => ({
    request: { meta: { updateId: 'u', identity: long(1001) }, input: { name: '' } },
  })),
  wrongUpdate('execution unset', () => ({ workflowExecution: null })),
  wrongUpdate('workflow id unknown', (s) => ({ workflowExecution: { workflowId: s.id('unknown') } })),
  wrongUpdate('run unknown', (s) => execution(s, { runId: NO_RUN })),
  wrongUpdate('run id that is none', (s) => execution(s, { runId: 'x' })),
  wrongUpdate('first run is another', () => ({ firstExecutionRunId: NO_RUN })),
  wrongUpdate('namespace unknown', () => ({ namespace: 'nowhere' })),
  wrongUpdate('waits to be admitted', () => ({
    waitPolicy: { lifecycleStage: 'UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ADMITTED' },
  })),
  {
    name: 'update: a closed run',
    run: async (s) => {
      await s.start();
      await s.complete(await s.task(), [completion]);
      await s.call('updateWorkflowExecution', update(s));
      await s.call('pollWorkflowExecutionUpdate', {
        updateRef: { ...execution(s), updateId: 'u' },
        waitPolicy: completed,
      });
    },
  },
  {
    name: 'update: a worker that does not know updates',
    run: async (s) => {
      await idle(s);
      const asked = s.call('updateWorkflowExecution', update(s));
      await s.complete(await s.task());
      await asked;
      await s.history(s.id('w'));
    },
  },
  meanwhile('a task that changes nothing', { carriesUpdate: false, asksForNext: false }),
  meanwhile('a task that changes nothing, and gets the next one', {
    carriesUpdate: false,
    asksForNext: true,
  }),
  meanwhile('another update, which it refuses', { carriesUpdate: true, asksForNext: false }),
  meanwhile('another update, which it refuses, and gets the next task', {
    carriesUpdate: true,
    asksForNext: true,
  }),
  {
    name: 'update: the run ends with the task that carries it',
    run: async (s) => {
      await idle(s);
      const asked = s.call('updateWorkflowExecution', update(s));
      await s.complete(await s.task(), [completion]);
      await asked;
      await s.history(s.id('w'));
    },
  },
  {
    name: 'update: the run is terminated meanwhile',
    run: async (s) => {
      await idle(s);
      const asked = s.call('updateWorkflowExecution', update(s));
      await s.task();
      await s.do('terminateWorkflowExecution', execution(s));
      await asked;
      await s.history(s.id('w'));
    },
  },
  {
    name: 'update: the first task fails meanwhile',
    run: async (s) => {
      await idle(s);
      const asked = s.call('updateWorkflowExecution', update(s));
      const { taskToken, messages } = await s.task();
      if (messages.length !== 1) throw new Error('the update did not come');
      await s.call('respondWorkflowTaskFailed', { taskToken, failure: { message: 'broken' } });
      const next = await s.task();
      await s.history(s.id('w'));
      await s.complete(next);
      await asked;
    },
  },
  ...(
    [
      ['ref unset', () => ({ updateRef: null })],
      ['update unknown', (s) => ({ updateRef: { ...execution(s), updateId: 'unknown' } })],
      ['update id empty', (s) => ({ updateRef: { ...execution(s), updateId: '' } })],
      ['execution unset', () => ({ updateRef: { updateId: 'u' } })],
      ['run id that is none', (s) => ({ updateRef: { ...execution(s, { runId: 'x' }), updateId: 'u' } })],
      [
        'workflow id unknown',
        (s) => ({ updateRef: { workflowExecution: { workflowId: s.id('no') }, updateId: 'u' } }),
      ],
      ['namespace unknown', (s) => ({ namespace: 'nowhere', updateRef: { ...execution(s), updateId: 'u' } })],
    ] satisfies [string, (s: RowClient) => Request][]
  ).map(([name, request]): Row => ({
    name: `poll of an update: ${name}`,
    run: async (s) => {
      await s.start();
      await s.call('pollWorkflowExecutionUpdate', { waitPolicy: accepted, ...request(s) });
    },
  })),
  wrongQuery('query unset', () => ({ query: null })),
  wrongQuery('type empty', () => ({ query: { queryType: '' } })),
  wrongQuery('execution unset', () => ({ execution: null })),
  wrongQuery('workflow id unknown', (s) => ({ execution: { workflowId: s.id('unknown') } })),
  wrongQuery('run unknown', (s) => ({ execution: { workflowId: s.id('w'), runId: NO_RUN } })),
  wrongQuery('run id that is none', (s) => ({ execution: { workflowId: s.id('w'), runId: 'x' } })),
  wrongQuery('namespace unknown', () => ({ namespace: 'nowhere' })),
  {
    name: 'query: a run that was terminated before its first task',
    run: async (s) => {
      await s.start();
      await s.do('terminateWorkflowExecution', execution(s));
      await s.call('queryWorkflow', { execution: { workflowId: s.id('w') }, query: { queryType: 'q' } });
    },
  },
  closedQuery('rejected because it is not open', 'NOT_OPEN'),
  closedQuery('not rejected because it did not fail', 'NONE'),
  {
    name: 'query of a failed run: rejected because it did not complete cleanly',
    run: async (s) => {
      await s.start();
      await s.complete(await s.task(), [
        command('failWorkflowExecution', { failure: { message: 'broken' } }),
      ]);
      await s.call('queryWorkflow', {
        execution: { workflowId: s.id('w') },
        query: { queryType: 'q' },
        queryRejectCondition: 'QUERY_REJECT_CONDITION_NOT_COMPLETED_CLEANLY',
      });
    },
  },
  answered('a result', { completedType: 'QUERY_RESULT_TYPE_ANSWERED', queryResult: payloads('fine') }),
  answered('a failure', {
    completedType: 'QUERY_RESULT_TYPE_FAILED',
    errorMessage: 'no such query',
    failure: { message: 'no such query', applicationFailureInfo: { type: 'Q' } },
  }),
  ...(
    [
      ['unset', {}],
      ['garbage', { taskToken: Buffer.from([1, 2, 3]) }],
    ] satisfies [string, Request][]
  ).map(([name, request]): Row => ({
    name: `answer to a query with a token that is ${name}`,
    run: (s) => s.call('respondQueryTaskCompleted', request),
  })),
];
