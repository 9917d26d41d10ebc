import type { Store } from '@steadyhand/store';
import { modelRequestEnd } from '../events/builders.ts';
import type { NewEvent } from '../events/types.ts';
import { spanUsage } from '../usage.ts';

/**
 * The end of a model request that a turn left without one, e.g. since it was interrupted: no event of a reply will come, and
 * whoever was shown its beginning is to know. Empty where the newest request has ended.
 */
export async function endOfOpenRequest(store: Store, session: string): Promise<readonly NewEvent[]> {
  const types = ['span.model_request_start', 'span.model_request_end'];
  const [newest] = await store.events.read({ session, types, order: 'desc', limit: 1 });
  if (newest?.type !== 'span.model_request_start') return [];
  return [modelRequestEnd(newest.id, spanUsage({ input_tokens: 0, output_tokens: 0 }), true)];
}
