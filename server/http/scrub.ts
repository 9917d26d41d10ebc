import type { Application, Response } from 'express';

/** Takes secrets out of a text. */
export type Scrub = (text: string) => string;

/** Sets what takes the secrets out of the errors that a server answers. */
export function setScrub(app: Application, scrub: Scrub): void {
  app.locals['scrub'] = scrub;
}

export function scrubOf(res: Response): Scrub {
  return res.app.locals['scrub'] as Scrub;
}
