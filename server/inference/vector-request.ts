import type { Detection, VectorImageOptions } from '@steadyhand/inference';
import { isRecord } from '@steadyhand/messages';
import type { Issue } from './errors.ts';
import { readMembers } from './read-query.ts';
import type { Reading } from './validate.ts';
import { look, MAX_PICTURE_PIXELS, MAX_SIDE } from './vector-shapes.ts';

/** What `POST /vector_image` is asked to draw. */
export type VectorRequest =
  | { readonly kind: 'values'; readonly values: ArrayLike<number>; readonly options: VectorImageOptions }
  | {
      readonly kind: 'detections';
      readonly detections: readonly Detection[];
      readonly width: number;
      readonly height: number;
    };

const MAX_DETECTIONS = 1000;
const SIDE = { ge: 1, le: MAX_SIDE };

type Members = Readonly<Record<string, unknown>>;

/** Reads a JSON body: a list of numbers, or an object with `values`, `data_base64` or `detections`. */
export function readVectorRequest(body: unknown, reading: Reading): VectorRequest | undefined {
  if (Array.isArray(body)) return readValues({ values: body }, ['body'], reading);
  if (!isRecord(body)) {
    return notAnObject(['body'], body, reading);
  }
  if (body['detections'] === undefined) return readValues(body, ['body', 'values'], reading);
  const detections = readDetections(body['detections'], ['body', 'detections'], reading);
  const side = (name: 'width' | 'height'): number | undefined => {
    if (body[name] === undefined) return reading.missing(['body', name], body);
    return reading.int(['body', name], body[name], SIDE);
  };
  const width = side('width');
  const height = side('height');
  if (width === undefined || height === undefined) return undefined;
  if (width * height > MAX_PICTURE_PIXELS) {
    const msg = `Value error, width x height is more than ${MAX_PICTURE_PIXELS} pixels`;
    reading.add({ type: 'value_error', loc: ['body', 'width'], msg, input: width });
  }
  return { kind: 'detections', detections, width, height };
}

function notAnObject(loc: Issue['loc'], input: unknown, reading: Reading): undefined {
  const msg = 'Input should be a valid dictionary or object to extract fields from';
  return reading.add({ type: 'model_attributes_type', loc, msg, input });
}

function readValues(
  body: Members,
  valuesLoc: readonly string[],
  reading: Reading,
): VectorRequest | undefined {
  const values = valuesOf(body, valuesLoc, reading);
  const options = { maxPixels: MAX_PICTURE_PIXELS, ...readMembers(look, body, reading) };
  return values === undefined ? undefined : { kind: 'values', values, options };
}

function valuesOf(body: Members, loc: readonly string[], reading: Reading): ArrayLike<number> | undefined {
  const { values, data_base64: base64 } = body;
  if (values === undefined && base64 !== undefined) return floatsFrom(base64, reading);
  if (values === undefined) return reading.missing(loc, body);
  if (!Array.isArray(values))
    return reading.add({ type: 'list_type', loc, msg: 'Input should be a valid list', input: values });
  const list: readonly unknown[] = values;
  // The usual case at little cost; a value that is at fault is found and named by the slow one.
  if (list.every((value) => typeof value === 'number')) return list;
  return numbersOf(list, loc, reading);
}

/** Faults that one answer names. */
const MAX_FAULTS = 20;

function numbersOf(
  list: readonly unknown[],
  loc: readonly string[],
  reading: Reading,
): Float64Array | undefined {
  const numbers = new Float64Array(list.length);
  let faults = 0;
  for (const [index, value] of list.entries()) {
    const number = reading.float([...loc, index], value);
    if (number === undefined) faults += 1;
    else numbers[index] = number;
    if (faults === MAX_FAULTS) break;
  }
  return faults === 0 ? numbers : undefined;
}

function floatsFrom(base64: unknown, reading: Reading): Float32Array | undefined {
  const refuse = (type: string, msg: string): undefined =>
    reading.add({ type, loc: ['body', 'data_base64'], msg, input: null });
  if (typeof base64 !== 'string') return refuse('string_type', 'Input should be a valid string');
  const bytes = Buffer.from(base64, 'base64');
  // Node passes over what is no base64; then fewer bytes come out than the text has room for.
  if (bytes.length !== Math.floor((base64.replace(/=+$/, '').length * 3) / 4)) {
    return refuse('value_error', 'Value error, Input should be base64');
  }
  if (bytes.length % 4 !== 0) {
    return refuse('value_error', `Value error, ${bytes.length} bytes are no whole number of float32 values`);
  }
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** Detections as `/analyze` answers them: a box each; label, class and score may be left out. */
export function readDetections(value: unknown, loc: Issue['loc'], reading: Reading): readonly Detection[] {
  if (!Array.isArray(value)) {
    reading.add({ type: 'list_type', loc, msg: 'Input should be a valid list', input: value });
    return [];
  }
  const list: readonly unknown[] = value;
  if (list.length > MAX_DETECTIONS) {
    reading.add({
      type: 'too_long',
      loc,
      msg: `List should have at most ${MAX_DETECTIONS} items after validation, not ${list.length}`,
      input: null,
      ctx: { field_type: 'List', max_length: MAX_DETECTIONS, actual_length: list.length },
    });
    return [];
  }
  return list.map((entry, index) => readDetection(entry, [...loc, index], reading));
}

function readDetection(entry: unknown, loc: Issue['loc'], reading: Reading): Detection {
  if (!isRecord(entry)) {
    notAnObject(loc, entry, reading);
    return { box: [0, 0, 0, 0], label: '', class_id: 0, score: 1 };
  }
  const { label = '', class_id: classId = 0, score = 1 } = entry;
  if (typeof label !== 'string') {
    const msg = 'Input should be a valid string';
    reading.add({ type: 'string_type', loc: [...loc, 'label'], msg, input: label });
  }
  return {
    box: readBox(entry, [...loc, 'box'], reading),
    label: typeof label === 'string' ? label : '',
    class_id: reading.int([...loc, 'class_id'], classId) ?? 0,
    score: reading.float([...loc, 'score'], score) ?? 1,
  };
}

function readBox(entry: Members, loc: Issue['loc'], reading: Reading): Detection['box'] {
  const { box } = entry;
  if (box === undefined) {
    reading.missing(loc, entry);
    return [0, 0, 0, 0];
  }
  if (!Array.isArray(box) || box.length !== 4) {
    const msg = 'Value error, Input should be a list of 4 numbers: x1, y1, x2, y2';
    reading.add({ type: 'value_error', loc, msg, input: box });
    return [0, 0, 0, 0];
  }
  const side = (index: number): number => {
    const value = reading.float([...loc, index], box[index]);
    if (value === undefined || Number.isFinite(value)) return value ?? 0;
    const msg = 'Input should be a finite number';
    reading.add({ type: 'finite_number', loc: [...loc, index], msg, input: String(value) });
    return 0;
  };
  return [side(0), side(1), side(2), side(3)];
}
