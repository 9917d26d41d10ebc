import { ApplicationFailure } from '@temporalio/activity';
import { createActivities } from '../../activities/index.ts';
import { type Bench, inActivity, openBench } from './support.ts';

/** A session that a worker's store does not have is never ended for it. */

let bench: Bench;

beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const ref = (session: string) => ({ session, epoch: 1, generation: 1 });
const error = { type: null, message: 'a fault' };

/** What each activity of a session fails with. */
async function failures(session: string): Promise<readonly unknown[]> {
  const activities = createActivities(bench.deps);
  const input = ref(session);
  const calls: (() => Promise<unknown>)[] = [
    () => activities.recall(input, { step: 1 }),
    () => activities.requestModel({ ...input, turns: 0, waits: 0, faults: 0, pauses: 0 }, { step: 2 }),
    () => activities.endTurn({ ...input, reason: 'end_turn', refusal: null }, { step: 3 }),
    () => activities.failTurn({ ...input, error, message: 0 }, { step: 4 }),
  ];
  return Promise.all(calls.map((call) => inActivity(call).catch((thrown: unknown) => thrown)));
}

test('its steps are tried again, elsewhere perhaps, and say why', async () => {
  for (const failure of await failures('sesn_ofAnotherStore')) {
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({
      type: 'SessionMissing',
      message: expect.stringContaining('sesn_ofAnotherStore') as unknown,
      nextRetryDelay: 1000,
    });
    expect((failure as ApplicationFailure).nonRetryable).not.toBe(true);
  }
});

test('they end for good where the store knows that it is being deleted', async () => {
  const session = await bench.session();
  await bench.store.sessions.beginDeletion(session);
  for (const failure of await failures(session)) expect(failure).toMatchObject({ nonRetryable: true });
});
