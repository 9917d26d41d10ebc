import type { SessionEvent } from '../../client/api.ts';
import { formatName } from '../../parts/format.ts';

/** Says in a line what an event that is no message and no tool use tells. */
export function noteOf(event: SessionEvent): string {
  switch (event.type) {
    case 'user.interrupt':
      return 'You interrupted';
    case 'user.grant_withdrawn':
      return 'You withdrew what was allowed for this session';
    case 'agent.thinking':
      return 'Thought';
    case 'session.status_idle':
      return IDLE_NOTES[event.stop_reason.type] ?? `Idle: ${event.stop_reason.type.replaceAll('_', ' ')}`;
    case 'sandbox.network_request': {
      const { method, host, port, verdict, reason } = event;
      return `${method} ${host}:${port}${verdict === 'denied' ? ' denied' : ''}${reason === null ? '' : `: ${reason}`}`;
    }
    case 'session.status_rescheduled':
      return 'Waiting for the model to have room';
    case 'sandbox.waiting':
    case 'sandbox.replaced':
      return `${event.message.slice(0, 1).toUpperCase()}${event.message.slice(1)}`;
    case 'sandbox.takeover_started':
      return 'A person took mouse and keyboard';
    case 'sandbox.takeover_input':
      return inputNote(event.inputs);
    case 'sandbox.takeover_ended':
      return `${HANDED_BACK[event.reason]} after ${Math.max(1, Math.round(event.duration_ms / 1000))} s`;
    case 'session.status_terminated':
      return 'Ended for good';
    default:
      return formatName(event.type);
  }
}

const HANDED_BACK = {
  handed_back: 'The person handed back',
  disconnected: 'The person was gone: handed back',
  expired: 'The takeover’s time was over: handed back',
} as const;

/** Summarises what a person did in one line. */
function inputNote(inputs: Extract<SessionEvent, { type: 'sandbox.takeover_input' }>['inputs']): string {
  const clicks = inputs.filter((input) => input.type === 'button' && input.down).length;
  const keys = inputs.flatMap((input) => (input.type === 'key' && input.down ? [input.keysym] : []));
  const parts = [
    ...(clicks === 0 ? [] : [`${clicks} ${clicks === 1 ? 'click' : 'clicks'}`]),
    ...(keys.length === 0 ? [] : [`keys ${keys.slice(0, 40).join(' ')}${keys.length > 40 ? ' …' : ''}`]),
  ];
  return `The person: ${parts.length === 0 ? 'moved the pointer' : parts.join(', ')}`;
}

const IDLE_NOTES: Readonly<Record<string, string>> = {
  end_turn: 'The turn is over',
  requires_action: 'Waits for your answer',
  budget_reached: 'Stopped at a limit',
  retries_exhausted: 'Gave up after several attempts; a message resumes it',
};
