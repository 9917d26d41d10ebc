import type { SessionEvent } from '../../client/api.ts';
import { actionOf, describeUse } from '../turns/describe-use.ts';

/** A picture in a tool's result, or one that was taken at the end of a takeover. */
export interface Screenshot {
  readonly id: string;
  /** The event that brought it. */
  readonly event: string;
  readonly url: string;
  readonly caption: string;
  readonly at: string;
  /** It shows the whole screen, so that coordinates of the next action are places on it. */
  readonly whole: boolean;
}

/** Every picture so far, oldest first. */
export function screenshotsOf(events: readonly SessionEvent[]): readonly Screenshot[] {
  const uses = new Map<string, { readonly caption: string; readonly whole: boolean }>();
  const shots: Screenshot[] = [];
  for (const event of events) {
    if (event.type === 'agent.tool_use') {
      const action = actionOf(event);
      uses.set(event.id, { caption: describeUse(event), whole: action !== undefined && action !== 'zoom' });
    }
    if (event.type !== 'agent.tool_result' && event.type !== 'sandbox.takeover_ended') continue;
    for (const [index, block] of (event.content ?? []).entries()) {
      if (block.type !== 'image' || block.source.type !== 'url') continue;
      const use =
        event.type === 'agent.tool_result'
          ? (uses.get(event.tool_use_id) ?? { caption: 'Screenshot', whole: true })
          : { caption: 'handed back by a person', whole: true };
      shots.push({
        id: `${event.id}.${index}`,
        event: event.id,
        url: block.source.url,
        ...use,
        at: event.processed_at,
      });
    }
  }
  return shots;
}
