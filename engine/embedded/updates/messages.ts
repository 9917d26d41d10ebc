import type { temporal } from '@temporalio/proto';
import type { Kernel } from '../kernel.ts';
import { temporal as proto } from '../proto.ts';
import { long } from '../proto-values.ts';
import type { RunRef } from '../types.ts';

export type ProtocolMessage = temporal.api.protocol.v1.IMessage;

const TYPE_URL = 'type.googleapis.com/temporal.api.update.v1.';

/** The requests of all updates that no worker has yet, for the task that is being handed out; marks them as sent. */
export function updateMessages(kernel: Kernel, ref: RunRef, sequencingEventId: number): ProtocolMessage[] {
  return kernel.updates.unsent(ref).map((update) => {
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

/** undefined for a message that is none of the update protocol. */
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
