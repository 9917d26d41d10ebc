import type { Response } from 'express';
import { noteForLog } from '../http/log-fields.ts';
import type { ClientKey } from './client-key.ts';

/** Notes whose key a request was sent with. */
export function setClient(res: Response, key: ClientKey): void {
  res.locals['client'] = key;
  noteForLog(res, { key: key.name });
}

/** The key that a request was sent with; undefined on a server that asks for none. */
export function clientOf(res: Response): ClientKey | undefined {
  return res.locals['client'] as ClientKey | undefined;
}
