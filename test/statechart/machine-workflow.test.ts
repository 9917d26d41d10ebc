import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Context } from '@temporalio/activity';
import {
  ApplicationFailure,
  WorkflowFailedError,
  WorkflowUpdateFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import type { WorkflowBundle } from '@temporalio/worker';
import type { Invocation } from '../../statechart/workflow/index.ts';
import { decodeData } from '../../statechart/core/data.ts';
import { bundleWorkflows } from '../support/workflow-bundle.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { connectTemporal, type TestTemporal } from '../support/temporal.ts';
import { pacing } from '../support/pacing.ts';

let engine: TestEngine;
let temporal: TestTemporal;
let bundle: WorkflowBundle;
let worker: { stop(): Promise<void> };

/** Every activity call with its invocation, and a way to let a slow one finish. */
const calls: { name: string; step: number; attempt: number; outcome: string }[] = [];
const gates = new Map<string, () => void>();

const activities = {
  async load({ fail }: { fail: boolean }): Promise<string> {
    if (fail) throw ApplicationFailure.nonRetryable('no such page', 'NotFound');
    return await Promise.resolve('page');
  },
  async slow({ name }: { name: string }, { step }: Invocation): Promise<string> {
    const context = Context.current();
    const call = { name, step, attempt: context.info.attempt, outcome: 'running' };
    calls.push(call);
    const beat = setInterval(() => context.heartbeat(), 200);
    try {
      await Promise.race([
        new Promise<void>((open) => gates.set(`${name}#${calls.length}`, open)),
        context.cancelled,
      ]);
      call.outcome = 'finished';
      return name;
    } catch (error) {
      call.outcome = 'cancelled';
      throw error;
    } finally {
      clearInterval(beat);
    }
  },
  async step(_input: null, { step }: Invocation): Promise<number> {
    return await Promise.resolve(step);
  },
  async peek(): Promise<string> {
    return await Promise.resolve('peeked');
  },
};

const start = async (type: string, input: unknown = {}, more: object = {}): Promise<WorkflowHandle> =>
  await temporal.client.workflow.start(type, {
    taskQueue: temporal.taskQueue,
    workflowId: `${type}-${randomUUID()}`,
    args: [{ input, ...more }],
  });

/** Message, type and finality of the failure that ended a workflow. */
const failureOf = async (handle: WorkflowHandle): Promise<unknown[]> => {
  const error: unknown = await handle.result().catch((reason: unknown) => reason);
  const { cause } = error as WorkflowFailedError;
  return cause instanceof ApplicationFailure ? [cause.message, cause.type, cause.nonRetryable] : [error];
};

const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 45_000;
  const pause = pacing();
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for: ${what}`);
    await pause();
  }
};

beforeAll(async () => {
  bundle = await bundleWorkflows(path.join(__dirname, 'machines.ts'));
  engine = await startTestEngine({ searchAttributes: { SteadyhandState: 'Keyword' } });
  temporal = await connectTemporal(engine.connection);
  worker = await temporal.work({ workflowBundle: bundle, activities });
}, 180_000);

beforeEach(() => {
  calls.length = 0;
  gates.clear();
});

afterAll(async () => {
  await worker.stop();
  await temporal.close();
  await engine.stop();
}, 180_000);

describe('actors and delays', () => {
  test('an activity’s result and a delay lead to the output', async () => {
    const handle = await start('loader', { fail: false });
    expect(await handle.result()).toEqual({ got: 'page' });
  });

  test('a failed activity takes the error path with the error that it threw', async () => {
    const handle = await start('loader', { fail: true });
    expect(decodeData(await handle.result())).toEqual({
      got: Object.assign(new Error('no such page'), { name: 'NotFound' }),
    });
  });

  test('a machine that fails ends the workflow with a typed failure', async () => {
    const handle = await start('bare');
    expect(await failureOf(handle)).toEqual(["machine 'bare' failed: no such page", 'MachineError', true]);
  });

  test('a stopped actor is cancelled, and only the newest generation counts', async () => {
    const handle = await start('switcher');
    await until('the first to run', () => calls.length === 1);
    await handle.signal('send', { type: 'switch' });
    await until('the second to run', () => calls.length === 2);
    await until('the first to be cancelled', () => calls[0]?.outcome === 'cancelled');
    gates.get('w2#2')?.();
    expect(await handle.result()).toEqual(['w2']);
    expect(calls.map(({ step }) => step)).toEqual([1, 2]);
  });

  test('the start may say after which time without a heartbeat an activity is lost', async () => {
    const timeouts = async (more: object): Promise<readonly unknown[]> => {
      const handle = await start('switcher', {}, more);
      await until('the activity to run', () => calls.length === 1);
      const { events } = await handle.fetchHistory();
      await handle.terminate();
      calls.length = 0;
      return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
        scheduled == null ? [] : [Number(scheduled.heartbeatTimeout?.seconds)],
      );
    };
    const declared = await timeouts({});
    expect(declared).not.toEqual([7]);
    expect(await timeouts({ heartbeatTimeout: 7000 })).toEqual([7]);
  });

  test('the start may say how long runs are, and every run keeps that and the timeout of its tasks', async () => {
    const { client, taskQueue } = temporal;
    const first = await client.workflow.start('door', {
      taskQueue,
      workflowId: `door-${randomUUID()}`,
      workflowTaskTimeout: '3s',
      args: [{ input: {}, continueAfter: 12 }],
    });
    const newest = client.workflow.getHandle(first.workflowId);
    const runs = new Set([first.firstExecutionRunId]);
    for (let n = 0; n < 12; n += 1) {
      await newest.executeUpdate('send', { args: [{ type: n % 2 === 0 ? 'open' : 'close' }] });
      runs.add((await newest.describe()).runId);
    }
    expect(runs.size).toBeGreaterThan(2);
    const { events } = await newest.fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    expect(started?.continuedExecutionRunId).toBeTruthy();
    expect(Number(started?.workflowTaskTimeout?.seconds)).toBe(3);
    await newest.terminate();
  });

  test('a child machine takes events by signal and gives its output; a local activity runs', async () => {
    const handle = await start('parent');
    expect(await handle.result()).toEqual({ opened: 1, local: 'peeked' });
  });
});

describe('messages', () => {
  test('update send answers with the new state and refuses what the machine cannot take', async () => {
    const handle = await start('door');
    expect(await handle.executeUpdate('send', { args: [{ type: 'open' }] })).toMatchObject({
      state: 'open',
      status: 'active',
    });
    const refused: unknown = await handle
      .executeUpdate('send', { args: [{ type: 'lock' }] })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WorkflowUpdateFailedError);
    expect((refused as WorkflowUpdateFailedError).cause).toMatchObject({
      type: 'EventNotAccepted',
      message: "event 'lock' is not accepted in state 'open'",
    });
    for (const bad of [null, {}, { type: 7 }, { type: 'xstate.init' }]) {
      await expect(handle.executeUpdate('send', { args: [bad] })).rejects.toMatchObject({
        cause: { type: 'InvalidEvent' },
      });
    }
    await handle.executeUpdate('send', { args: [{ type: 'close' }] });
    await handle.executeUpdate('send', { args: [{ type: 'lock' }] });
    expect(await handle.result()).toBe(1);
  });

  test('signal send is fire and forget: an event without a transition is dropped', async () => {
    const handle = await start('door');
    await handle.signal('send', { type: 'close' });
    await handle.signal('send', { type: 'open' });
    await until(
      'the door to open',
      async () => (await handle.query<{ state: string }>('snapshot')).state === 'open',
    );
    await handle.signal('send', { type: 'close' });
    await handle.signal('send', { type: 'lock' });
    expect(await handle.result()).toBe(1);
  });

  test('query machine shows the definition, the active nodes and the legal events', async () => {
    const handle = await start('door');
    const view = await handle.query<{
      active: string[];
      events: string[];
      state: string;
      definition: { id: string };
    }>('machine');
    expect(view).toMatchObject({
      active: ['door', 'door.closed'],
      state: 'closed',
      definition: { id: 'door' },
    });
    expect(view.events).toEqual(['open', 'lock', 'break']);
    await handle.terminate();
  });

  test('an action that throws ends the workflow, typed, instead of failing its task for ever', async () => {
    const handle = await start('door');
    await handle.signal('send', { type: 'break' });
    expect(await failureOf(handle)).toEqual(["machine 'door' failed: hinge lost", 'MachineError', true]);
  });

  test('the state path is a search attribute, written only when it changed', async () => {
    const handle = await start('door', {}, { stateAttribute: 'SteadyhandState' });
    await handle.executeUpdate('send', { args: [{ type: 'open' }] });
    await handle.executeUpdate('send', { args: [{ type: 'close' }] });
    await until('the attribute to show', async () => {
      const { searchAttributes } = await handle.describe();
      return JSON.stringify(searchAttributes['SteadyhandState']) === '["closed"]';
    });
    const { events } = await handle.fetchHistory();
    const upserts = events?.filter(
      ({ upsertWorkflowSearchAttributesEventAttributes: upsert }) =>
        upsert?.searchAttributes?.indexedFields?.['SteadyhandState'],
    );
    expect(upserts).toHaveLength(3);
    await handle.terminate();
  });
});

describe('cancellation', () => {
  test('a machine that knows workflow.cancel handles it', async () => {
    const handle = await start('polite');
    await handle.cancel();
    expect(await handle.result()).toBe('said goodbye');
  });

  test('any other ends as cancelled, its actors too', async () => {
    const handle = await start('switcher');
    await until('the actor to run', () => calls.length === 1);
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    await until('the actor to end', () => calls[0]?.outcome === 'cancelled');
  });
});

describe('a long life', () => {
  const runsOf = async (handle: WorkflowHandle): Promise<number> => {
    let runs = 0;
    for await (const info of temporal.client.workflow.list({
      query: `WorkflowId = '${handle.workflowId}'`,
    })) {
      if (info.workflowId === handle.workflowId) runs++;
    }
    return runs;
  };

  test('a pending delay keeps its deadline over several runs, and no event is lost', async () => {
    const began = Date.now();
    const handle = await start('ticker');
    for (let n = 0; n < 12; n++) await handle.executeUpdate('send', { args: [{ type: 'tick' }] });
    expect(await handle.result()).toBe(12);
    expect(Date.now() - began).toBeGreaterThanOrEqual(1400);
    await until('the runs to be listed', async () => (await runsOf(handle)) > 1);
  });

  test('step after step without a quiet moment: a run hands over between two steps, none runs twice', async () => {
    const handle = await start('walker', { steps: 12 });
    expect(await handle.result()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    await until('the runs to be listed', async () => (await runsOf(handle)) > 1);
  });

  test('a snapshot of an earlier version is restored in the present state', async () => {
    const snapshot = { status: 'active', value: 'shut', context: { opened: 4 }, children: {} };
    const carried = { snapshot, delays: [], actors: [], steps: 0 };
    const handle = await start('door', {}, { carried });
    expect(await handle.executeUpdate('send', { args: [{ type: 'open' }] })).toMatchObject({ state: 'open' });
    await handle.signal('send', { type: 'close' });
    await handle.signal('send', { type: 'lock' });
    expect(await handle.result()).toBe(5);
  });

  test('an actor in flight goes on in the next run under the same number', async () => {
    const handle = await start('carrier');
    await until('the actor to run', () => calls.length === 1);
    // How many fill a run depends on the machine's pace, and so does whether one more run follows.
    while (calls.length < 2) await handle.executeUpdate('send', { args: [{ type: 'nudge' }] });
    const ended = handle.result();
    let open = true;
    void ended.finally(() => (open = false)).catch(() => undefined);
    await until('the end', () => {
      for (const pass of gates.values()) pass();
      return !open;
    });
    expect(await ended).toBe('done');
    expect(new Set(calls.map(({ step }) => step))).toEqual(new Set([1]));
  });
});

test('every history that these tests made replays', async () => {
  expect(await temporal.replayAll(bundle)).toBeGreaterThan(20);
}, 180_000);
