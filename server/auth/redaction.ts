import type { Scrub } from '../http/scrub.ts';
import { type ClientKey, keyFinder } from './client-key.ts';

/** What stands in the place of a secret. */
const HIDDEN = '[hidden]';
/** Where a word begins: also behind what JSON makes of a line break and a URL of a stop, which end in a letter or a digit. */
const START = String.raw`(?<=^|[^A-Za-z0-9]|%[0-9A-Fa-f]{2}|\\[bfnrt]|\\u[0-9A-Fa-f]{4})`;
/** Keys of the kinds that providers give out, whoever's they are. */
const KEY_SHAPES = new RegExp(
  String.raw`${START}(?:(?:sk|pk|rk|xai|gsk)-[A-Za-z0-9_-]{6,}|AKIA[A-Z0-9]{12,}|ABSK[A-Za-z0-9+/=]{12,}|ya29\.[\w-]+)`,
  'g',
);
const BEARER = new RegExp(String.raw`${START}(Bearer|Basic)(\s+|%20)[A-Za-z0-9._~+/=-]{6,}`, 'gi');
/**
 * What a key might be in a text: our keys have no spaces. Quotes, commas and the like are tried as ends, too. An escape of JSON
 * is a word of its own, else its letter would be taken for the key's first.
 */
const WORDS = /\\u[0-9A-Fa-f]{4}|\\[\\bfnrt]|[^\s"'`,;&?=/\\()<>[\]{}]{8,}/g;
/** Longer texts are not searched for keys that only their digests are known of: hashing takes time. */
const HASHED_TEXT = 16_384;

/**
 * Takes out of texts what must not be in a log or in an answer: the upstreams' keys, the clients' keys, and whatever looks like
 * a key of either. For lines of the log and the messages of errors, which may repeat what a client or an upstream sent.
 * @param secrets known values; those shorter than 8 characters are left, they would hide half of any text
 */
export function createScrub(secrets: readonly string[], keys: readonly ClientKey[] = []): Scrub {
  const known = secrets
    .filter((secret) => secret.length >= 8)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .toSorted((one, other) => other.length - one.length);
  const unique = [...new Set(known)];
  const find = keyFinder(keys);
  return (text) => {
    let scrubbed = text;
    for (const secret of unique) scrubbed = scrubbed.replaceAll(secret, HIDDEN);
    scrubbed = scrubbed.replaceAll(BEARER, (_, scheme: string) => `${scheme} ${HIDDEN}`);
    scrubbed = scrubbed.replaceAll(KEY_SHAPES, HIDDEN);
    if (keys.length === 0 || scrubbed.length > HASHED_TEXT) return scrubbed;
    return scrubbed.replaceAll(WORDS, (word) => (find(readings(word)) === undefined ? word : HIDDEN));
  };
}

/** What a word may say: itself, without the stops of a sentence, a part of a dotted path, what a part of a URL encodes. */
function readings(word: string): readonly string[] {
  const plain = word.replace(/[.:!]+$/, '');
  const all = [word, plain, ...plain.split(/[.:]/), ...decodedWords(word)];
  return [...new Set(all)].filter(({ length }) => length >= 8);
}

function decodedWords(word: string): readonly string[] {
  if (!word.includes('%')) return [];
  try {
    return decodeURIComponent(word).match(WORDS) ?? [];
  } catch {
    return [];
  }
}
