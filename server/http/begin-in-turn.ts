import type { RequestHandler } from 'express';
import { timeSlices } from '@steadyhand/sessions';

/**
 * However many requests come at once, they are begun a few at a time, in the order in which they came and between the pieces of
 * longer work. Whoever watches over the server does not wait for its clients.
 */
export const beginInTurn: RequestHandler = (req, _res, next) => {
  if (req.path === '/health') next();
  else void timeSlices.run(() => next());
};
