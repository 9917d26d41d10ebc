import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { OpenApiDocument } from './document.ts';

/** Answers with a description, which takes tens of milliseconds to make and is made once, before any request. */
export function published(document: OpenApiDocument): RequestHandler {
  const body = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return (_req, res) => {
    res.set({ etag, 'cache-control': 'no-cache' }).type('json').send(body);
  };
}

/** Keeps what was made for each value. */
export function once<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
