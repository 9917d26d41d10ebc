import { halfToNumber, type Tensor } from '@steadyhand/inference';
import type { Pace } from '../http/pacing.ts';
import { toBytes } from './tensor-bytes.ts';

/** Elements written at a time: about a millisecond's work. */
const SLICE = 8192;
/** Bytes encoded at a time; a multiple of 3, so that the pieces' base64 joins without padding. */
const BASE64_SLICE = 768 * 1024;

/**
 * A tensor's values as a JSON list, in pieces, because one of a detector (8400 x 85) is 10 MB of text. BOOL as true and
 * false, 64-bit integers with all of their digits; what JSON cannot say (NaN and the infinities) is null.
 */
export async function* valuesJson(tensor: Tensor, pace: Pace): AsyncGenerator<string | Uint8Array> {
  const write = writerOf(tensor);
  const { length } = tensor.data;
  yield '[';
  for (let from = 0; from < length; from += SLICE) {
    const to = Math.min(length, from + SLICE);
    let text = from === 0 ? '' : ',';
    for (let index = from; index < to; index += 1) text += (index === from ? '' : ',') + write(index);
    // As bytes at once: a text that was put together so is brought into one piece only when it is first looked at.
    yield Buffer.from(text);
    await pace();
  }
  yield ']';
}

/** A tensor's wire bytes (`toBytes`) as a JSON text of base64, in pieces. */
export async function* base64Json(tensor: Tensor, pace: Pace): AsyncGenerator<string> {
  const bytes = toBytes(tensor);
  yield '"';
  for (let from = 0; from < bytes.length; from += BASE64_SLICE) {
    yield bytes.toString('base64', from, Math.min(bytes.length, from + BASE64_SLICE));
    await pace();
  }
  yield '"';
}

function writerOf({ datatype, data }: Tensor): (index: number) => string {
  if (datatype === 'BYTES') return (index) => JSON.stringify(data[index]);
  if (datatype === 'BOOL') return (index) => (data[index] === 0 ? 'false' : 'true');
  if (datatype === 'INT64' || datatype === 'UINT64') return (index) => String(data[index]);
  if (datatype === 'FP16') return (index) => numberJson(halfToNumber(Number(data[index])));
  return (index) => numberJson(Number(data[index]));
}

function numberJson(value: number): string {
  return Number.isFinite(value) ? String(value) : 'null';
}
