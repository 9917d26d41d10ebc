import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import type { Request } from 'express';
import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import type { ReceivedFile, UploadFacts } from '@steadyhand/sessions';
import { ClientGoneError } from '../http/gone-signal.ts';

/** The most bytes of a form beside those of its file: the boundaries, the headers and the other fields. */
const FORM_BYTES = 1024 * 1024;

const LIMITS = { fields: 16, fieldSize: 1024, files: 2, headerPairs: 64, headerSize: 16 * 1024 };

export interface Upload {
  readonly file: ReceivedFile;
  readonly facts: UploadFacts;
}

/**
 * Reads a form with one file, `file`, from a request; its bytes go to `receive` as they come. Whatever is wrong with the
 * form, and a client that leaves half way, discards what was received.
 * @param maxBytes of the file; a request that says that it is larger is refused unread
 * @throws {InvalidRequestError} for a body that is no such form
 * @throws {ApiError} `request_too_large`
 * @throws {ClientGoneError} when the connection breaks off
 */
export async function readUpload(
  req: Request,
  receive: (bytes: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>,
  maxBytes: number,
): Promise<Upload> {
  checkHeaders(req, maxBytes);
  const form = openForm(req);
  const fields: Record<string, string> = {};
  let filename: string | undefined;
  let mimeType: string | undefined;
  let received: Promise<ReceivedFile> | undefined;
  let end = (_fault: Error): void => {};

  const whole = new Promise<void>((resolve, reject) => {
    form.on('file', (name, stream, sentName, _encoding, sentType) => {
      // A part does not end by itself when its form does not.
      stream.on('error', reject);
      void whole.catch((error: Error) => stream.destroy(error));
      if (name !== 'file' || received !== undefined) {
        reject(new InvalidRequestError(name === 'file' ? 'file: a form holds one file' : extra(name)));
        return;
      }
      filename = sentName;
      mimeType = sentType;
      received = receive(pieces(stream));
      received.catch(reject);
    });
    form.on('field', (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut)
        reject(new InvalidRequestError(`${name}: at most ${LIMITS.fieldSize} bytes are allowed`));
      else if (Object.hasOwn(fields, name))
        reject(new InvalidRequestError(`${name}: is given more than once`));
      else fields[name] = value;
    });
    form.on('fieldsLimit', () =>
      reject(new InvalidRequestError(`a form holds at most ${LIMITS.fields} fields`)),
    );
    form.on('finish', () => resolve()).on('error', reject);
    req.on('error', reject);
    end = reject;
    req.once('close', onClose);
  });
  function onClose(): void {
    if (!req.complete) end(new ClientGoneError());
  }

  try {
    // This is no pipeline, because a pipeline would close the connection that the answer goes out on.
    req.pipe(form);
    if (req.destroyed) onClose();
    await whole;
    if (received === undefined) throw new InvalidRequestError('file: Field required');
    return { file: await received, facts: { filename, mimeType, fields } };
  } catch (error) {
    req.unpipe(form);
    form.destroy();
    // Whoever takes the bytes may have ended the part before it could say why.
    const why = await received?.then(({ discard }) => discard()).catch((fault: unknown) => fault);
    throw asFault(req, why instanceof ApiError ? why : error);
  } finally {
    req.off('close', onClose);
  }
}

function extra(name: string): string {
  return `${name}: Extra inputs are not permitted`;
}

function checkHeaders(req: Request, maxBytes: number): void {
  const type = req.headers['content-type'];
  if (req.is('multipart/form-data') !== 'multipart/form-data') {
    throw new InvalidRequestError(`content-type: expected multipart/form-data, got ${type ?? 'none'}`);
  }
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity')
    throw new InvalidRequestError(`content-encoding: ${encoding} is not taken here`);
  if (Number(req.headers['content-length']) > maxBytes + FORM_BYTES) {
    throw new ApiError('request_too_large', `File exceeds the maximum size of ${maxBytes} bytes`);
  }
}

function openForm(req: Request): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      limits: LIMITS,
      // `file` is one with or without a name and a type; any other part is one only if it says so.
      isPartAFile: (name, _type, sentName) => name === 'file' || sentName !== undefined,
    });
  } catch (error) {
    throw new InvalidRequestError(`The form cannot be read: ${messageOf(error)}`);
  }
}

async function* pieces(stream: BusboyFileStream): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) yield piece as Buffer;
}

/** What ended the reading of a form, when nobody refused anything in it. */
function asFault(req: Request, error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (!req.complete && (req.destroyed || req.closed)) return new ClientGoneError();
  return new InvalidRequestError(`The form cannot be read: ${messageOf(error)}`);
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
