import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** What was made of each file: to read hundreds of certificates takes tens of milliseconds. */
const contexts = new Map<string, SecureContext>();

/**
 * Whom a connection by TLS trusts: the authorities that Node knows and those in the file that NODE_EXTRA_CA_CERTS of `env` names.
 * Undefined, which is the former alone, where it names none that can be read.
 */
export function trusted(env: Readonly<Record<string, string | undefined>>): SecureContext | undefined {
  const file = env['NODE_EXTRA_CA_CERTS'] ?? '';
  if (file === '') return undefined;
  let context = contexts.get(file);
  if (context === undefined) {
    try {
      context = createSecureContext({ ca: [...rootCertificates, readFileSync(file, 'latin1')] });
    } catch {
      return undefined;
    }
    contexts.set(file, context);
  }
  return context;
}
