import type { temporal } from '@temporalio/proto';
import { temporal as proto } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import type { UpdateRegistry } from './update-registry.ts';

export type ProtocolMessage = temporal.api.protocol.v1.IMessage;

const TYPE_URL = 'type.googleapis.com/temporal.api.update.v1.';

/**
 * Makes the messages of all updates that no worker has yet, for a task that is given to one, and marks them as sent.
 */
export function updateMessages(
  updates: UpdateRegistry,
  ref: RunRef,
  sequencingEventId: number,
): ProtocolMessage[] {
  return updates.unsent(ref).map((update) => {
    update.sent = true;
    return {
      id: `${update.id}/request`,
      protocolInstanceId: update.id,
      eventId: long(sequencingEventId),
      body: {
        type_url: `${TYPE_URL}Request`,
        value: proto.api.update.v1.Request.encode(update.request ?? {}).finish(),
      },
    };
  });
}

/** A worker's answer to an update request. */
export type UpdateAnswer =
  | { readonly kind: 'accept'; readonly body: temporal.api.update.v1.IAcceptance }
  | { readonly kind: 'reject'; readonly body: temporal.api.update.v1.IRejection }
  | { readonly kind: 'respond'; readonly body: temporal.api.update.v1.IResponse };

/** Answers undefined for a message that does not belong to the update protocol. */
export function readUpdateAnswer(message: ProtocolMessage): UpdateAnswer | undefined {
  const value = message.body?.value ?? new Uint8Array();
  const { update } = proto.api;
  switch (message.body?.type_url?.split('/').at(-1)) {
    case 'temporal.api.update.v1.Acceptance':
      return { kind: 'accept', body: update.v1.Acceptance.decode(value) };
    case 'temporal.api.update.v1.Rejection':
      return { kind: 'reject', body: update.v1.Rejection.decode(value) };
    case 'temporal.api.update.v1.Response':
      return { kind: 'respond', body: update.v1.Response.decode(value) };
    default:
      return undefined;
  }
}
