import { badCommand, checkCommand, requireAttributes, requireShort } from '../protocol/command-error.ts';
import { validMs } from '../protocol/durations.ts';
import { duration, long, toNumber } from '../protocol/values.ts';
import { type CommandHandler, appendCommandEvent } from './context.ts';

const START = 'BAD_START_TIMER_ATTRIBUTES';
const CANCEL = 'BAD_CANCEL_TIMER_ATTRIBUTES';

export const startTimer: CommandHandler = (context, command) => {
  const attributes = requireAttributes(START, 'StartTimer', command.startTimerCommandAttributes);
  const timerId = attributes.timerId ?? '';
  if (timerId === '') throw badCommand(START, 'TimerId is not set on StartTimerCommand.');
  requireShort(START, 'TimerId', 'StartTimer', timerId);
  const fireAfterMs = checkCommand(START, () =>
    validMs(
      attributes.startToFireTimeout,
      (problem) =>
        `An invalid StartToFireTimeout is set on StartTimerCommand: ${problem}. TimerId=${timerId}`,
    ),
  );
  const { timers } = context.state.pending;
  if (timers.get(timerId)) {
    throw badCommand(
      'START_TIMER_DUPLICATE_ID',
      `invalid history builder state for action: add-timer-started-event, TimerID: ${timerId}`,
    );
  }
  const event = appendCommandEvent(context, command, {
    timerStartedEventAttributes: {
      timerId,
      // One without a time is written without it.
      startToFireTimeout: attributes.startToFireTimeout ? duration(fireAfterMs) : null,
      workflowTaskCompletedEventId: long(context.completedEventId),
    },
  });
  timers.add(timerId, {
    startedEventId: toNumber(event.eventId),
    fireAt: context.state.now() + fireAfterMs,
  });
};

export const cancelTimer: CommandHandler = (context, command) => {
  const { timerId: given } = requireAttributes(CANCEL, 'CancelTimer', command.cancelTimerCommandAttributes);
  const timerId = given ?? '';
  if (timerId === '') throw badCommand(CANCEL, 'TimerId is not set on CancelTimerCommand.');
  requireShort(CANCEL, 'TimerId', 'CancelTimer', timerId);
  const { state } = context;
  const timer = state.pending.timers.get(timerId);
  const startedEventId = timer?.startedEventId ?? state.takeBufferedTimer(timerId);
  if (startedEventId === undefined) {
    throw badCommand(
      CANCEL,
      `invalid history builder state for action: add-timer-canceled-event, TimerID: ${timerId}`,
    );
  }
  state.pending.timers.delete(timerId);
  appendCommandEvent(context, command, {
    timerCanceledEventAttributes: {
      timerId,
      startedEventId: long(startedEventId),
      workflowTaskCompletedEventId: long(context.completedEventId),
      identity: context.identity,
    },
  });
};
