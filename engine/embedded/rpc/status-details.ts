import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { google, root } from '../protocol/proto.ts';
import { type ErrorDetail, RpcError } from '../protocol/rpc-error.ts';

const DETAILS_KEY = 'grpc-status-details-bin';

/** Makes what grpc-js sends for an error: code and message, and the typed details by which clients decide. */
export function toServiceError(error: RpcError): Partial<ServiceError> {
  const metadata = new Metadata();
  if (error.details.length > 0) {
    const encoded = google.rpc.Status.encode({
      code: error.code,
      message: error.message,
      details: error.details.map(toAny),
    }).finish();
    metadata.set(DETAILS_KEY, Buffer.from(encoded));
  }
  return { code: error.code, details: error.message, metadata };
}

export function toAny(detail: ErrorDetail): { type_url: string; value: Uint8Array } {
  const type = root.lookupType(detail.typeName);
  return {
    type_url: `type.googleapis.com/${detail.typeName}`,
    value: type.encode(type.create(detail.value)).finish(),
  };
}

export function internalError(error: unknown): RpcError {
  return new RpcError(status.INTERNAL, error instanceof Error ? error.message : String(error));
}
