import type { ServiceError } from '@grpc/grpc-js';
import proto from '@temporalio/proto';

const { google } = proto;

export interface SeenError {
  readonly code: number;
  readonly message: string;
  /** Short names of the types in `grpc-status-details-bin`. */
  readonly details: string[];
}

/** An error as `errorOf` gives it. */
export const refusal = (code: number, message: string, ...details: string[]): SeenError => ({
  code,
  message,
  details,
});

/** What a client gets from a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<SeenError> {
  try {
    await call;
  } catch (error) {
    const { code, details, metadata } = error as ServiceError;
    return {
      code,
      message: details,
      details: detailsOf(metadata.get('grpc-status-details-bin')).map(nameOf),
    };
  }
  throw new Error('the call was answered');
}

/** The typed details of an error, decoded from the status that carries them. */
export function detailsOf(values: readonly (string | Buffer)[]): { type_url: string; value: Uint8Array }[] {
  const [bytes] = values;
  if (!Buffer.isBuffer(bytes)) return [];
  return google.rpc.Status.decode(bytes).details.map((any) => ({
    type_url: any.type_url ?? '',
    value: any.value ?? new Uint8Array(),
  }));
}

function nameOf(any: { type_url: string }): string {
  return any.type_url.split('.').at(-1) ?? '';
}
