import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import type { WorkflowBundle } from '@temporalio/worker';
import { HELD_STATE, type MachineSnapshotView } from '../../statechart/core/messages.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { connectTemporal, type TestTemporal } from '../support/temporal.ts';
import { bundleWorkflows } from '../support/workflow-bundle.ts';

let engine: TestEngine;
let temporal: TestTemporal;
let code: string;

/** The order that the first test holds and releases. */
let heldOrder = '';

/** Gates of the activity `label`, by the input's number. */
let isLabelOpen = true;
const activities = {
  async label({ n }: { n: number }): Promise<string> {
    while (!isLabelOpen) await new Promise((resolve) => setTimeout(resolve, 20));
    return `label ${n}`;
  },
};

beforeAll(async () => {
  ({ code } = await bundleWorkflows(path.join(__dirname, 'changing-machines.ts')));
  engine = await startTestEngine({ searchAttributes: { OrderState: 'Keyword' } });
  temporal = await connectTemporal(engine.connection);
}, 180_000);

afterAll(async () => {
  await temporal.close();
  await engine.stop();
}, 180_000);

beforeEach(() => {
  isLabelOpen = true;
});

const bundleOf = (release: string): WorkflowBundle => ({
  code: code.replaceAll('RELEASE_OF_THE_WORKER', release),
});

/** Does something while a worker of that release runs. */
async function withWorker<T>(release: string, work: () => Promise<T>): Promise<T> {
  const worker = await temporal.work({
    workflowBundle: bundleOf(release),
    activities,
    // What the worker before had in its cache comes here at once.
    stickyQueueScheduleToStartTimeout: '100ms',
  });
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}

const startOrder = (carried?: unknown): Promise<WorkflowHandle> =>
  temporal.client.workflow.start('order', {
    taskQueue: temporal.taskQueue,
    workflowId: `order-${randomUUID()}`,
    args: [{ input: undefined, attributes: { state: 'OrderState' }, carried }],
  });

/** What a run of the first release in the state `packed` has really handed to its next run. */
async function carriedOrder(): Promise<unknown> {
  const handle = await packedOrder('first, short runs');
  const { events } = await withWorker('first, short runs', async () => {
    const run = temporal.client.workflow.getHandle(handle.workflowId, (await handle.describe()).runId);
    const isOver = async (): Promise<boolean> => (await run.describe()).status.name === 'CONTINUED_AS_NEW';
    for (let n = 0; !(await isOver()); n++) await send(handle, 'NOTE', { text: `${n}` });
    return await run.fetchHistory();
  });
  await handle.terminate();
  const payload = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.input?.payloads?.[0];
  const { carried } = JSON.parse(Buffer.from(payload?.data ?? []).toString()) as { carried: unknown };
  return carried;
}

const view = (handle: WorkflowHandle): Promise<MachineSnapshotView> => handle.query('snapshot');
const send = (handle: WorkflowHandle, type: string, more: object = {}): Promise<{ state: string }> =>
  handle.executeUpdate('send', { args: [{ type, ...more }] });

const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** An order of the first release in the state `packed`. */
const packedOrder = (release = 'first'): Promise<WorkflowHandle> =>
  withWorker(release, async () => {
    const handle = await startOrder();
    await send(handle, 'PACK');
    await until('the label', async () => (await view(handle)).state === 'packed');
    return handle;
  });

describe('a worker with another machine and nothing else', () => {
  test('holds the run, says so, and loses nothing: the earlier machine goes on with it', async () => {
    const handle = await packedOrder();
    heldOrder = handle.workflowId;
    await withWorker('second', async () => {
      await handle.signal('send', { type: 'NOTE', text: 'kept' });
      await until('the run to be held', async () => (await view(handle)).held !== undefined);
      const { state, held, context } = await view(handle);
      expect({ state, context }).toEqual({ state: HELD_STATE, context: null });
      expect(held?.reason).toMatch(/^The machine has changed: .* the worker knows order 2 \(/);
      expect(held?.reason).toMatch(/Give the earlier machine in 'versions'/);
      const refused: unknown = await send(handle, 'SHIP').catch((error: unknown) => error);
      expect((refused as WorkflowUpdateFailedError).cause).toMatchObject({ type: 'MachineHeld' });
      await until('the attribute', async () => {
        const { searchAttributes, status } = await handle.describe();
        expect(status.name).toBe('RUNNING');
        return JSON.stringify(searchAttributes['OrderState']) === JSON.stringify([HELD_STATE]);
      });
    });
    await withWorker('second with versions', async () => {
      await handle.signal('send', { type: 'NOTE', text: 'later' });
      await until('the run to be released', async () => (await view(handle)).held === undefined);
      expect(await view(handle)).toMatchObject({ state: 'packed', context: { notes: ['kept', 'later'] } });
      await send(handle, 'SHIP');
      expect(await handle.result()).toBe('first: kept later');
    });
  });

  test('holds a run that has continued as new before it begins', async () => {
    const carried = await carriedOrder();
    const handle = await startOrder(carried);
    await withWorker('second', async () => {
      await handle.signal('send', { type: 'NOTE', text: 'kept' });
      await until('the run to be held', async () => (await view(handle)).held !== undefined);
      const { held } = await view(handle);
      expect(held?.reason).toMatch(
        /this run was started with order 1 \([0-9a-f]{16}\), and the worker knows order 2/,
      );
    });
    await withWorker('first', async () => {
      await handle.signal('send', { type: 'SHIP' });
      expect(await handle.result()).toMatch(/^first: 0 .*kept$/);
    });
  });
});

describe('versions', () => {
  test('a run stays with its machine, new runs take the newest', async () => {
    const old = await packedOrder();
    await withWorker('second with versions', async () => {
      const fresh = await startOrder();
      await send(fresh, 'PACK');
      await until('the label', async () => (await view(fresh)).state === 'boxed');
      expect((await view(fresh)).machine).toMatchObject({ id: 'order', version: '2' });
      expect((await view(old)).machine).toMatchObject({ id: 'order', version: '1' });
      await send(fresh, 'SHIP');
      await send(old, 'SHIP');
      expect(await old.result()).toBe('first: ');
      expect(await fresh.result()).toBe('second: ');
    });
  });
});

describe('migrate', () => {
  test('a run in mid-course becomes one of the newest machine at the next event, with its delays', async () => {
    const handle = await packedOrder();
    await withWorker('second with versions and migrate', async () => {
      await send(handle, 'NOTE', { text: 'a' });
      expect(await view(handle)).toMatchObject({
        state: 'boxed',
        context: { notes: ['migrated', 'a'] },
        machine: { version: '2' },
        delays: [{ id: 'xstate.after.600000.order.boxed' }],
      });
      await send(handle, 'SHIP');
      expect(await handle.result()).toBe('second: migrated a');
    });
  });

  test('an activity that runs meanwhile gives its result to the new machine', async () => {
    isLabelOpen = false;
    const handle = await withWorker('first', async () => {
      const started = await startOrder();
      await send(started, 'PACK');
      isLabelOpen = true;
      return started;
    });
    await withWorker('second with versions and migrate', async () => {
      await send(handle, 'NOTE', { text: 'a' });
      await until('the label', async () => (await view(handle)).state === 'boxed');
      await send(handle, 'SHIP');
      expect(await handle.result()).toMatch(/^second: /);
    });
  });

  test('what an earlier machine has carried over needs no earlier machine', async () => {
    const handle = await startOrder(await carriedOrder());
    await withWorker('second with migrate', async () => {
      await handle.signal('send', { type: 'SHIP' });
      expect(await handle.result()).toMatch(/^second: 0 .*migrated$/);
    });
  });

  test('one whose result is no state of the machine is refused, and the run is held with the reason', async () => {
    const handle = await startOrder(await carriedOrder());
    await withWorker('second with a bad migrate', async () => {
      await handle.signal('send', { type: 'SHIP' });
      await until('the run to be held', async () => (await view(handle)).held !== undefined);
      expect((await view(handle)).held?.reason).toMatch(
        /migration was refused: "nowhere" is not a state of machine 'order'/,
      );
    });
    await handle.terminate();
  });
});

test('a run that was held, released, and never migrated replays on the release that ended it', async () => {
  const held = `WorkflowType = 'order' AND TaskQueue = '${temporal.taskQueue}' AND ExecutionStatus = 'Completed'`;
  expect(
    await temporal.replayAll(bundleOf('second with versions'), `${held} AND WorkflowId = '${heldOrder}'`),
  ).toBe(1);
}, 180_000);
