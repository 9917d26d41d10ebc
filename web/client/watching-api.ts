import { get, post } from './api.ts';

export type Place = 'sessions' | 'sandboxes';

export interface Takeover {
  readonly id: string;
  readonly status: 'pending' | 'active' | 'ended' | 'withdrawn';
}

const pathTo = (place: Place, id: string, rest: string): string =>
  `/v1/${place}/${encodeURIComponent(id)}/${rest}`;

export function askForTicket(
  place: Place,
  id: string,
  takeover: string | null,
): Promise<{ readonly ticket: string; readonly path: string }> {
  return post(pathTo(place, id, 'vnc_ticket'), { takeover_id: takeover });
}

export function takeOver(place: Place, id: string, hideKeys: boolean): Promise<Takeover> {
  return post(pathTo(place, id, 'takeover'), { record: hideKeys ? 'no_keys' : 'full' });
}

export async function handBack(place: Place, id: string, takeover: string): Promise<void> {
  await post(pathTo(place, id, 'handback'), { takeover_id: takeover });
}

/** Reads the newest takeover; null when there was none. */
export async function newestTakeover(place: Place, id: string): Promise<Takeover | null> {
  // Only the state is wanted, so the inputs are asked for from behind the last one.
  const path = pathTo(place, id, `takeover?after=${Number.MAX_SAFE_INTEGER}`);
  return (await get<{ readonly takeover: Takeover | null }>(path)).takeover;
}
