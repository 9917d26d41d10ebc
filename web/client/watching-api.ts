import type { ApiAnswer } from '@steadyhand/server';
import { call } from './api.ts';

export type Place = 'sessions' | 'sandboxes';

type Takeover = ApiAnswer<'POST /v1/sandboxes/{id}/takeover'>;

export function askForTicket(
  place: Place,
  id: string,
  takeover: string | null,
): Promise<ApiAnswer<'POST /v1/sandboxes/{id}/vnc_ticket'>> {
  return call(`POST /v1/${place}/{id}/vnc_ticket`, { params: { id }, body: { takeover_id: takeover } });
}

export function takeOver(place: Place, id: string, hideKeys: boolean): Promise<Takeover> {
  const record = hideKeys ? 'no_keys' : 'full';
  return call(`POST /v1/${place}/{id}/takeover`, { params: { id }, body: { record } });
}

export async function handBack(place: Place, id: string, takeover: string): Promise<void> {
  await call(`POST /v1/${place}/{id}/handback`, { params: { id }, body: { takeover_id: takeover } });
}

/** Reads the newest takeover; null when there was none. */
export async function newestTakeover(place: Place, id: string): Promise<Takeover | null> {
  // Far behind the last input: only the state is wanted.
  const query = { after: String(Number.MAX_SAFE_INTEGER) };
  return (await call(`GET /v1/${place}/{id}/takeover`, { params: { id }, query })).takeover;
}
