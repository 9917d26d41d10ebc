import type { Store } from '@steadyhand/store';
import { fromStored } from './events/log-event.ts';
import { is } from './events/types.ts';
import { isBlobBlock } from './log/blob-sources.ts';

/** A picture of a session's whole screen. */
export interface LoggedScreenshot {
  /** Of the bytes, which the store's blobs hold. */
  readonly sha256: string;
  /** When it was recorded, in milliseconds since the epoch. */
  readonly at: number;
}

/** The screenshots in a session's event log, oldest first. Pictures of a part of the screen are left out. */
export async function screenshotsOf(store: Store, session: string): Promise<readonly LoggedScreenshot[]> {
  const types = ['agent.tool_use', 'agent.tool_result', 'sandbox.takeover_ended'];
  const log = (await store.events.read({ session, types })).map(fromStored);
  const zooms = new Set(
    log
      .filter(is('agent.tool_use'))
      .filter(({ body }) => body.name === 'zoom' || body.input['action'] === 'zoom')
      .map(({ id }) => id),
  );
  return log.filter(is('agent.tool_result', 'sandbox.takeover_ended')).flatMap(({ body, created_at }) => {
    if ('tool_use_id' in body && zooms.has(body.tool_use_id)) return [];
    const at = Date.parse(created_at);
    return body.content.flatMap((block: { readonly type: string }) =>
      block.type === 'image' && isBlobBlock(block) ? [{ sha256: block.source.sha256, at }] : [],
    );
  });
}
