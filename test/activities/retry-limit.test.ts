import { ApplicationFailure } from '@temporalio/activity';
import { RetryLimit, withRetryLimit } from '../../activities/retry-limit.ts';
import { NotStoredError } from '../../store/index.ts';
import { inActivity } from './support.ts';

const input = { session: 'sesn_1', epoch: 1, generation: 1 };

/** An activity that fails as often as it is told to, on a clock of the test's own. */
function failing(error: () => Error): {
  attempt: (step?: number) => Promise<unknown>;
  pass: (ms: number) => void;
} {
  let now = 0;
  const activity = withRetryLimit(() => Promise.reject(error()), new RetryLimit(60_000, () => now));
  return {
    attempt: (step = 1) => inActivity(() => activity(input, { step })).catch((thrown: unknown) => thrown),
    pass: (ms) => {
      now += ms;
    },
  };
}

const away = (): Error => Object.assign(new Error('the computer is away'), { name: 'SandboxAway' });

describe('a step that fails', () => {
  it('is tried again until its time is over, and then ends with its last error', async () => {
    const { attempt, pass } = failing(away);
    for (let n = 0; n < 8; n++) {
      expect(await attempt()).not.toBeInstanceOf(ApplicationFailure);
      pass(8000);
    }
    const last = await attempt();
    expect(last).toMatchObject({ type: 'SandboxAway', message: 'the computer is away', nonRetryable: true });
  });

  it('is not given up for the time alone that a crashed process was away', async () => {
    const { attempt, pass } = failing(away);
    await attempt();
    pass(24 * 3600 * 1000);
    expect(await attempt()).not.toBeInstanceOf(ApplicationFailure);
  });

  it('has nothing to do with other steps', async () => {
    const { attempt, pass } = failing(away);
    for (let n = 0; n < 9; n++) await attempt(1);
    pass(60_000);
    expect(await attempt(2)).not.toBeInstanceOf(ApplicationFailure);
    expect(await attempt(1)).toMatchObject({ nonRetryable: true });
  });

  it('ends at once with what will never succeed', async () => {
    const { attempt } = failing(() => new NotStoredError('session', 'sesn_1'));
    expect(await attempt()).toMatchObject({ type: 'NotStoredError', nonRetryable: true });
  });
});
