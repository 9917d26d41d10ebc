import type { RequestHandler } from 'express';

/** A page of this server loads, connects to and is framed by nothing but this server. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  // The page shows screenshots that it fetched with the key, which an <img> cannot send.
  "img-src 'self' blob: data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = new Map([
  ['content-security-policy', CONTENT_SECURITY_POLICY],
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
