import { badCommand } from '../protocol/command-error.ts';
import { duration, long, toMs, toNumber } from '../protocol/values.ts';
import { type CommandHandler, appendCommandEvent } from './context.ts';

export const startTimer: CommandHandler = (context, command) => {
  const attributes = command.startTimerCommandAttributes ?? {};
  const timerId = attributes.timerId ?? '';
  const fireAfterMs = toMs(attributes.startToFireTimeout);
  if (timerId === '' || fireAfterMs < 0) {
    const reason =
      timerId === ''
        ? 'TimerId is not set on StartTimerCommand.'
        : `An invalid StartToFireTimeout is set on StartTimerCommand. TimerId=${timerId}`;
    throw badCommand('BAD_START_TIMER_ATTRIBUTES', reason);
  }
  const { timers } = context.state.pending;
  if (timers.get(timerId)) {
    throw badCommand('START_TIMER_DUPLICATE_ID', `timer ID ${timerId} is already in use`);
  }
  const event = appendCommandEvent(context, command, {
    timerStartedEventAttributes: {
      timerId,
      startToFireTimeout: duration(fireAfterMs),
      workflowTaskCompletedEventId: long(context.completedEventId),
    },
  });
  timers.add(timerId, {
    startedEventId: toNumber(event.eventId),
    fireAt: context.state.now() + fireAfterMs,
  });
};

export const cancelTimer: CommandHandler = (context, command) => {
  const timerId = command.cancelTimerCommandAttributes?.timerId ?? '';
  const { state } = context;
  const timer = state.pending.timers.get(timerId);
  const startedEventId = timer?.startedEventId ?? state.takeBufferedTimer(timerId);
  if (startedEventId === undefined) {
    throw badCommand(
      'BAD_CANCEL_TIMER_ATTRIBUTES',
      timerId === ''
        ? 'TimerId is not set on CancelTimerCommand.'
        : `invalid history builder state for action: timer ID ${timerId} not found`,
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
