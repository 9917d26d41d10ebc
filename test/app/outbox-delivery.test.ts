import { Client, Connection } from '@temporalio/client';
import { WorkflowRuntime } from '../../app/workflow-runtime.ts';
import { createLogger } from '../../server/log.ts';
import { createSessions } from '../../sessions/index.ts';
import { acceptUserEvents } from '../../sessions/user-events/accept.ts';
import type { Store } from '../../store/index.ts';
import { message } from '../activities/support.ts';
import { describeStores } from '../store/temporary-store.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { lineTo } from '../support/line-to-engine.ts';
import { connectTemporal, type TestTemporal } from '../support/temporal.ts';
import { pacing } from '../support/pacing.ts';

/** Two servers over one store. No worker runs: what the workflows were sent stands in their histories. */

let engine: TestEngine;
let temporal: TestTemporal;
const runtimes: WorkflowRuntime[] = [];

beforeAll(async () => {
  engine = await startTestEngine();
  temporal = await connectTemporal(engine.connection);
}, 120_000);
afterEach(() => Promise.all(runtimes.splice(0).map((runtime) => runtime.close())));
afterAll(async () => {
  await temporal.close();
  await engine.stop();
});

function runtimeOver(store: Store, client = temporal.client): WorkflowRuntime {
  const sandboxes = {
    delete: async () => undefined,
    reach: () => Promise.reject(new Error('this test has no sandboxes')),
  };
  const log = createLogger('silent');
  const runtime = new WorkflowRuntime({
    client,
    store,
    sandboxes,
    log,
    attributes: undefined,
    taskQueue: 'steadyhand-test',
    heartbeatTimeoutMs: 1500,
    workflowTaskTimeoutMs: 4000,
  });
  runtimes.push(runtime);
  return runtime;
}

/** The client of a server whose way to Temporal is cut. */
function cutOff(): Client {
  const connection = Connection.lazy({ address: '127.0.0.1:1', connectTimeout: '100ms' });
  return new Client({ connection });
}

/** Accepts messages as a server does, without delivering them. */
async function accepted(store: Store, count: number): Promise<string> {
  const sessions = createSessions({ store });
  const agent = await sessions.agents.create({ name: 'a', model: 'script' });
  const { id } = await sessions.create({ agent: agent.id });
  for (let n = 0; n < count; n += 1) await acceptUserEvents(store, id, [message(`${n}`)], `request/${n}`);
  return id;
}

interface Sent {
  readonly type: string;
  readonly seq: number;
}

/** The places in the log of what the session's workflow was sent. */
async function sent(session: string): Promise<readonly number[]> {
  const handle = temporal.client.workflow.getHandle(`session/${session}`);
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    const data = signal?.input?.payloads?.[0]?.data;
    const event = data == null ? undefined : (JSON.parse(Buffer.from(data).toString()) as Sent);
    // A server's start reminds workflows of where the log ends.
    return event === undefined || event.type === 'recall' ? [] : [event.seq];
  });
}

async function untilDelivered(store: Store): Promise<void> {
  const pause = pacing();
  while ((await store.events.undelivered()).length > 0) await pause();
}

describeStores((stores) => {
  async function twoServers(): Promise<readonly [Store, Store]> {
    const dir = stores.dir();
    return [await stores.open({ dir }), await stores.open({ dir })];
  }

  test('what a server accepted that cannot reach Temporal is delivered by another one', async () => {
    const [one, other] = await twoServers();
    runtimeOver(other).start();
    const session = await accepted(one, 1);
    void runtimeOver(one, cutOff()).deliver(session);
    await untilDelivered(one);
    expect(await sent(session)).toEqual([1]);
  });

  test('a request does not wait for a Temporal service that is silent, and its event is delivered later', async () => {
    const [one, other] = await twoServers();
    const session = await accepted(one, 1);
    const line = await lineTo(engine);
    line.fallSilent();
    const runtime = runtimeOver(one, line.client);
    await runtime.deliver(session);
    expect(await one.events.undelivered()).toHaveLength(1);
    runtimeOver(other).start();
    await untilDelivered(one);
    expect(await sent(session)).toEqual([1]);
    // What is under way has an end, and its connection may be closed then.
    await runtime.close();
    await line.close();
  });

  test('a workflow begins with the timeouts that the server sets, and with short runs', async () => {
    const [one] = await twoServers();
    const session = await accepted(one, 1);
    await runtimeOver(one).deliver(session);
    const { events } = await temporal.client.workflow.getHandle(`session/${session}`).fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    expect(Number(started?.workflowTaskTimeout?.seconds)).toBe(4);
    const input: unknown = JSON.parse(Buffer.from(started?.input?.payloads?.[0]?.data ?? []).toString());
    expect(input).toMatchObject({ heartbeatTimeout: 1500, continueAfter: 1000, triesLocally: true });
  });

  test('what a server was about to deliver when it died is delivered by another one', async () => {
    const [one, other] = await twoServers();
    const session = await accepted(one, 3);
    const claimed = await one.events.claimUndelivered({ limit: 1, leaseMs: 300 });
    const [done, ...left] = claimed.map(({ seq }) => seq);
    expect([done, left.length]).toEqual([1, 2]);
    await one.events.markDelivered(claimed.slice(0, 1));
    await one.close();
    runtimeOver(other).start();
    await untilDelivered(other);
    expect(await sent(session)).toEqual(left);
  });

  test('two servers that deliver at once send each event in its order', async () => {
    const [one, other] = await twoServers();
    const sessions = [await accepted(one, 5), await accepted(one, 5), await accepted(other, 5)];
    const waiting = await one.events.undelivered();
    const places = sessions.map((id) => waiting.flatMap(({ session, seq }) => (session === id ? [seq] : [])));
    expect(places.map(({ length }) => length)).toEqual([5, 5, 5]);
    const servers = [runtimeOver(one), runtimeOver(other)];
    await Promise.all([
      ...servers.map((server) => server.deliverAll()),
      ...sessions.flatMap((session) => servers.map((server) => server.deliver(session))),
    ]);
    await untilDelivered(one);
    for (const [n, session] of sessions.entries()) expect(await sent(session)).toEqual(places[n]);
  });

  test('a deletion that another server began and did not finish is finished', async () => {
    const [one, other] = await twoServers();
    const session = await accepted(one, 1);
    await one.sessions.beginDeletion(session);
    runtimeOver(other).start();
    while ((await one.sessions.deleting()).length > 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await one.sessions.get(session)).toBeUndefined();
  });
});
