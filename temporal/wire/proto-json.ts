import proto from '@temporalio/proto';
import type { Root } from 'protobufjs';
import protojson from 'protobufjs/ext/protojson.js';
import type { Fields } from './fields.ts';

const root = proto as unknown as Root;

const PREFIX = 'temporal.api.';

/**
 * A message in the JSON form of protobuf, which all views are made from: 64-bit numbers and durations are texts, times are
 * RFC 3339, bytes base64, enums their names, and what has its default is absent.
 *
 * @param type such as `history.v1.HistoryEvent`
 */
export function protoJson(type: string, message: object): Fields {
  return protojson.toJson(root.lookupType(PREFIX + type), message) as Fields;
}
