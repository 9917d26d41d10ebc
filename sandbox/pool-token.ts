import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The smallest number of characters that a token may have. */
export const MIN_TOKEN = 16;

/**
 * Connections to pool machines are TLS with a pre-shared key that is derived from the token. The handshake succeeds
 * only between two sides that know the token, neither shows it to the other, and no certificate has to be made, pinned
 * or renewed. The key exchange is ephemeral, so a token that leaks later opens no recorded connection. Node supports
 * pre-shared keys up to TLS 1.2.
 */
export const POOL_TLS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const;

/** The identity that goes with the pre-shared key. There is one key, so there is one identity. */
export const PSK_IDENTITY = 'steadyhand';

/** The pre-shared key of connections, 32 bytes. */
export function preSharedKey(token: string): Buffer {
  return derive(token, 'line');
}

/** Proves to those who know the token that the author of `parts` knows it too. The proof is in base64url. */
export function proofOf(token: string, parts: readonly string[]): string {
  // Each part is preceded by its length, so that no two lists of parts give the same text.
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  return createHmac('sha256', derive(token, 'proof')).update(text).digest('base64url');
}

/** Whether a proof is right; the comparison takes the same time for every proof. */
export function isProofOf(proof: string, token: string, parts: readonly string[]): boolean {
  const right = Buffer.from(proofOf(token, parts));
  const given = Buffer.from(proof);
  return right.length === given.length && timingSafeEqual(right, given);
}

function derive(token: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', `steadyhand sandbox ${purpose} 1`, 32));
}
