import { readFileSync } from 'node:fs';
import type { TlsListener } from '@steadyhand/engine';
import { ConfigFileError } from './yaml-file.ts';

/** The files and the address of `ENGINE_TLS_...`. */
export interface EngineTlsFiles {
  readonly host: string;
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  readonly clientCa: string | undefined;
}

/**
 * Reads the PEM files by which the embedded engine serves TLS.
 * @throws {ConfigFileError} when one cannot be read or holds something else
 */
export function readEngineTls({ host, port, cert, key, clientCa }: EngineTlsFiles): TlsListener {
  return {
    host,
    port,
    cert: pem(cert, 'CERTIFICATE'),
    key: pem(key, 'PRIVATE KEY'),
    ...(clientCa === undefined ? {} : { clientCa: pem(clientCa, 'CERTIFICATE') }),
  };
}

function pem(file: string, kind: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigFileError(file, '', `cannot be read: ${code ?? String(error)}`);
  }
  if (!new RegExp(`-----BEGIN (?:[A-Z]+ )?${kind}-----`).test(text))
    throw new ConfigFileError(file, '', `expected a PEM file with a ${kind.toLowerCase()}`);
  return text;
}
