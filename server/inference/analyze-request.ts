import type { Request, Response } from 'express';
import type { Filters } from '../../inference/results.ts';
import { queryOf } from '../query.ts';
import type { BodyReader } from '../body/body-reader.ts';
import { boundaryOf, EMPTY_FORM, type Form, parseMultipart } from './multipart.ts';
import { createPace } from '../body/pacing.ts';
import { Reading } from './validate.ts';

export const OUTPUTS = ['result', 'raw', 'stats'] as const;
export const ENCODINGS = ['json', 'base64'] as const;
export const DECODES = ['exact', 'shrink'] as const;

/** The query of `POST /analyze`. */
export interface AnalyzeQuery {
  readonly model: string | undefined;
  readonly output: (typeof OUTPUTS)[number];
  readonly encoding: (typeof ENCODINGS)[number];
  readonly filters: Filters;
  readonly decode: (typeof DECODES)[number];
  readonly timeoutMs: number | undefined;
}

const UNIT = { ge: 0, le: 1 };
const POSITIVE = { ge: 1 };
/** More would be sorted and compared pair by pair for nothing. */
export const MAX_RESULTS = 10_000;

/** In the order of the route's parameters, which is the order of its faults. Of a repeated name the last counts. */
export function readAnalyzeQuery(query: URLSearchParams, reading: Reading): AnalyzeQuery {
  const last = (name: string): string | undefined => query.getAll(name).at(-1);
  const read = <T>(
    name: string,
    parse: (loc: readonly string[], text: string) => T | undefined,
  ): T | undefined => {
    const text = last(name);
    return text === undefined ? undefined : parse(['query', name], text);
  };

  const model = last('model');
  const output = read('output', (loc, text) => reading.literal(loc, text, OUTPUTS)) ?? 'result';
  const encoding = read('encoding', (loc, text) => reading.literal(loc, text, ENCODINGS)) ?? 'json';
  const score = read('score', (loc, text) => reading.float(loc, text, UNIT));
  const iou = read('iou', (loc, text) => reading.float(loc, text, UNIT));
  const classes = readClasses(query.getAll('classes'));
  const max = read('max', (loc, text) => reading.int(loc, text, { ge: 1, le: MAX_RESULTS }));
  const decode = read('decode', (loc, text) => reading.literal(loc, text, DECODES)) ?? 'exact';
  const timeoutMs = read('timeout_ms', (loc, text) => reading.int(loc, text, POSITIVE));
  return {
    model,
    output,
    encoding,
    filters: {
      ...(score === undefined ? {} : { score }),
      ...(iou === undefined ? {} : { iou }),
      ...(classes.length === 0 ? {} : { classes }),
      ...(max === undefined ? {} : { max }),
    },
    decode,
    timeoutMs,
  };
}

/** `classes=0,person&classes=car`: ids and labels, repeated or with commas between them. */
function readClasses(texts: readonly string[]): readonly (number | string)[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : text));
}

/** The form in a request's body, in either of the two encodings forms have; an empty one for any other content. */
export async function readForm(
  req: Request,
  res: Response,
  reader: BodyReader,
  signal: AbortSignal,
): Promise<Form> {
  const contentType = req.headers['content-type'] ?? '';
  const media = contentType.split(';', 1)[0]?.trim().toLowerCase();
  const boundary = media === 'multipart/form-data' ? boundaryOf(contentType) : undefined;
  const body = await reader.read(req, res);
  if (boundary !== undefined) return await parseMultipart(body, boundary, createPace(signal));
  if (media !== 'application/x-www-form-urlencoded' || body.length > FORM_TEXT_BYTES) return EMPTY_FORM;
  return { files: new Map(), fields: new Map(new URLSearchParams(body.toString('utf8'))) };
}

/** A form in this encoding holds no file, so only a small one can be meant. */
const FORM_TEXT_BYTES = 64 * 1024;

/** The required part `file`; its absence, or a text in its place, is put down as FastAPI says it. */
export function fileOf({ files, fields }: Form, reading: Reading): Buffer | undefined {
  const file = files.get('file');
  // What a browser sends for a file input that was left empty.
  if (file !== undefined && !(file.filename === '' && file.bytes.length === 0)) return file.bytes;
  const text = fields.get('file');
  if (text === undefined) {
    reading.missing(['body', 'file']);
  } else {
    reading.add({
      type: 'value_error',
      loc: ['body', 'file'],
      msg: "Value error, Expected UploadFile, received: <class 'str'>",
      input: text,
      ctx: { error: {} },
    });
  }
  return undefined;
}

/** All that `POST /analyze` asks for. Throws RequestInvalid with the faults of its query and of its body. */
export async function readAnalyzeRequest(
  req: Request,
  res: Response,
  reader: BodyReader,
  signal: AbortSignal,
): Promise<{ readonly query: AnalyzeQuery; readonly file: Buffer }> {
  const form = await readForm(req, res, reader, signal);
  const reading = new Reading();
  const query = readAnalyzeQuery(queryOf(req), reading);
  return { query, file: reading.done(fileOf(form, reading)) };
}
