import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Filters } from '@steadyhand/inference';
import type { BodyReader } from '../body/body-reader.ts';
import { createPace } from '../http/pacing.ts';
import { queryOf } from '../http/query.ts';
import type { Values } from '../routing/route.ts';
import { boundaryOf, EMPTY_FORM, type Form, parseMultipart } from './multipart.ts';
import { readQuery } from './read-query.ts';
import { Reading } from './validate.ts';

export const OUTPUTS = ['result', 'raw', 'stats'] as const;
export const ENCODINGS = ['json', 'base64'] as const;
export const LINES = ['plain', 'words'] as const;
export const DECODES = ['exact', 'shrink'] as const;

/** More would be sorted and compared pair by pair for nothing. */
const MAX_RESULTS = 10_000;

const share = z.number().min(0).max(1);

export const modelQuery = {
  model: z
    .string()
    .describe('A model’s name; default: the configured one, `ocr` unless told otherwise')
    .optional(),
};

/** The query of `POST /analyze`. */
export const analyzeQuery = {
  ...modelQuery,
  output: z
    .enum(OUTPUTS)
    .default('result')
    .describe('What the model’s task means, its tensors, or the tensors’ figures'),
  encoding: z.enum(ENCODINGS).default('json').describe('How tensors stand in the answer'),
  score: share.describe('Only results of at least this score').optional(),
  iou: share.describe('Boxes of one class that overlap by more are one').optional(),
  classes: z
    .array(z.string())
    .describe('Only these classes, by index or label; repeated, or with commas between them')
    .optional(),
  max: z.int().min(1).max(MAX_RESULTS).describe('At most so many results').optional(),
  decode: z
    .enum(DECODES)
    .default('exact')
    .describe('`shrink`: large JPEGs are reduced while they are read; faster, not exact'),
  lines: z.enum(LINES).default('plain').describe('`words`: a line of text has its words, each with its box'),
  timeout_ms: z.int().min(1).describe('For everything; bounded by the server’s own').optional(),
};

/** Only the results that were asked for. */
export function filtersOf({ score, iou, classes: texts, max }: Values<typeof analyzeQuery>): Filters {
  const classes = readClasses(texts ?? []);
  return {
    ...(score === undefined ? {} : { score }),
    ...(iou === undefined ? {} : { iou }),
    ...(classes.length === 0 ? {} : { classes }),
    ...(max === undefined ? {} : { max }),
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

/** All that `POST /analyze` asks for. Throws RequestInvalidError with the faults of its query and of its body. */
export async function readAnalyzeRequest(
  req: Request,
  res: Response,
  reader: BodyReader,
  signal: AbortSignal,
): Promise<{ readonly query: Values<typeof analyzeQuery>; readonly file: Buffer }> {
  const form = await readForm(req, res, reader, signal);
  const reading = new Reading();
  const query = readQuery(analyzeQuery, queryOf(req), reading);
  return { query, file: reading.done(fileOf(form, reading)) };
}
