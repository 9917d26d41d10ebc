import type { temporal } from '@temporalio/proto';
import { Memo, SearchAttributes, fromEncodedOptional, toEncoded } from '../protocol/proto.ts';
import { mergeSearchAttributes } from '../visibility/search-attribute-registry.ts';
import type { RunRecord } from './record.ts';

type Fields = Record<string, temporal.api.common.v1.IPayload>;

/** Changes a run's search attributes by those that its workflow upserted. */
export function applySearchAttributes(
  record: RunRecord,
  upserted: temporal.api.common.v1.ISearchAttributes | null | undefined,
): void {
  const current = fromEncodedOptional(SearchAttributes, record.searchAttributes);
  record.searchAttributes = toEncoded(SearchAttributes, {
    indexedFields: mergeSearchAttributes(current?.indexedFields ?? {}, upserted?.indexedFields ?? {}),
  });
}

/** Changes a run's memo by the fields that its workflow upserted. */
export function applyMemo(
  record: RunRecord,
  upserted: temporal.api.common.v1.IMemo | null | undefined,
): void {
  const fields: Fields = { ...fromEncodedOptional(Memo, record.memo)?.fields };
  for (const [name, payload] of Object.entries(upserted?.fields ?? {})) {
    if (isNull(payload)) delete fields[name];
    else fields[name] = payload;
  }
  record.memo = toEncoded(Memo, { fields });
}

/** Whether a payload says "no value", which removes the field. */
function isNull(payload: temporal.api.common.v1.IPayload): boolean {
  return (
    Buffer.from(payload.metadata?.['encoding'] ?? []).toString() === 'binary/null' || !payload.data?.length
  );
}
