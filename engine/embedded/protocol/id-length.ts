import { invalidArgument } from './rpc-error.ts';

/** The length in bytes of an id, a name or an identity at most. */
export const LONGEST_ID = 1000;

export const bytesOf = (text: string): number => Buffer.byteLength(text);

export const isTooLong = (text: string | null | undefined): boolean => bytesOf(text ?? '') > LONGEST_ID;

export function checkIdentity(identity: string | null | undefined): void {
  if (isTooLong(identity)) throw invalidArgument('Identity length exceeds limit.');
}

export function checkRequestId(requestId: string | null | undefined): void {
  if (isTooLong(requestId)) throw invalidArgument('RequestId length exceeds limit.');
}
