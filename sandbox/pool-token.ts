import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The fewest characters of a token. */
export const MIN_TOKEN = 16;

/**
 * Lines to daemons on other machines are TLS with a pre-shared key made of the token: the handshake succeeds only between two
 * who both know it, neither shows it to the other, and there is no certificate to make, pin or renew. The key exchange is
 * ephemeral, so a token that becomes known later opens no recorded line. Node has pre-shared keys up to TLS 1.2.
 */
export const POOL_TLS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const;

/** The name under which the key is asked for: there is one key a line, so there is one name. */
export const PSK_IDENTITY = 'steadyhand';

/** The key of a line, 32 bytes. */
export function preSharedKey(token: string): Buffer {
  return derive(token, 'line');
}

/** Proves, to who knows the token, that who wrote `parts` knows it too. Base64url. */
export function proofOf(token: string, parts: readonly string[]): string {
  // Lengths first: no two lists of parts read the same.
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  return createHmac('sha256', derive(token, 'proof')).update(text).digest('base64url');
}

/** Whether that is the proof, in the same time whatever it is. */
export function isProofOf(proof: string, token: string, parts: readonly string[]): boolean {
  const right = Buffer.from(proofOf(token, parts));
  const given = Buffer.from(proof);
  return right.length === given.length && timingSafeEqual(right, given);
}

function derive(token: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', `steadyhand sandbox ${purpose} 1`, 32));
}
