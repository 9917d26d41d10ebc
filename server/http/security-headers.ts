import type { RequestHandler } from 'express';

const DIRECTIVES = {
  'default-src': "'self'",
  // The page shows screenshots that it fetched with the key, which an <img> cannot send.
  'img-src': "'self' blob: data:",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
} as const;

/** A page of this server loads, connects to and is framed by nothing but this server; `more` is for one page alone. */
export function contentSecurityPolicy(more: Readonly<Record<string, string>> = {}): string {
  return Object.entries({ ...DIRECTIVES, ...more })
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}

const HEADERS = new Map([
  ['content-security-policy', contentSecurityPolicy()],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
]);

export function setSecurityHeaders(): RequestHandler {
  return (_req, res, next) => {
    res.setHeaders(HEADERS);
    next();
  };
}
