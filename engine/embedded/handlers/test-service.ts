import type { temporal } from '@temporalio/proto';
import { timestamp, toMs } from '../protocol/values.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { type Call, type Handlers, waitFor } from '../rpc/call.ts';
import type { TimeSkipper } from '../time-skipping/time-skipper.ts';

type SleepRequest = temporal.api.testservice.v1.ISleepRequest;
type SleepUntilRequest = temporal.api.testservice.v1.ISleepUntilRequest;

/** The methods by which tests move the engine's time. They are served only where time may be skipped. */
export function testServiceHandlers(skipper: TimeSkipper): Handlers {
  const sleepUntil = async (
    time: number,
    call: Call,
    onWake: () => void = () => undefined,
  ): Promise<object> => {
    await waitFor<true>(call, Infinity, (resolve) =>
      skipper.sleepUntil(time, () => {
        onWake();
        resolve(true);
      }),
    );
    return {};
  };
  return {
    LockTimeSkipping: () => {
      skipper.lock();
      return {};
    },
    UnlockTimeSkipping: () => {
      skipper.unlock();
      return {};
    },
    Sleep: ({ duration }: SleepRequest, call: Call) => sleepUntil(skipper.now + toMs(duration), call),
    SleepUntil: ({ timestamp: time }: SleepUntilRequest, call: Call) => {
      if (!time) throw invalidArgument('Timestamp is not set on request.');
      return sleepUntil(toMs(time), call);
    },
    UnlockTimeSkippingWithSleep: ({ duration }: SleepRequest, call: Call) => {
      const time = skipper.now + toMs(duration);
      skipper.unlock();
      return sleepUntil(time, call, () => skipper.lock());
    },
    GetCurrentTime: () => ({ time: timestamp(skipper.now) }),
  };
}
