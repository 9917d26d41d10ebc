import { NotStoredError, ObjectExistsError } from '../contract/errors.ts';
import { drained, type S3Client } from './client.ts';
import { elements, elementText } from './xml.ts';

/** A multipart upload that was begun and not ended. */
interface Unfinished {
  readonly key: string;
  readonly id: string;
  readonly begunAt: number;
}

/** An upload in parts: nothing is seen of it until it is completed, and then all of it. */
export class MultipartUpload {
  readonly #client: S3Client;
  readonly #key: string;
  readonly #id: string;
  readonly #tags: string[] = [];

  private constructor(client: S3Client, key: string, id: string) {
    this.#client = client;
    this.#key = key;
    this.#id = id;
  }

  static async begin(client: S3Client, key: string): Promise<MultipartUpload> {
    const { text } = await client.text({ method: 'POST', key, query: { uploads: '' } });
    const id = elementText(text, 'UploadId');
    if (id === undefined) throw client.away(new Error('it began an upload without an UploadId'));
    return new MultipartUpload(client, key, id);
  }

  /** Each part but the last has to have 5 MiB or more, and all of them the same size for some stores. */
  async part(body: Uint8Array): Promise<void> {
    const query = { partNumber: String(this.#tags.length + 1), uploadId: this.#id };
    const { message } = await this.#client.request({ method: 'PUT', key: this.#key, query, body });
    await drained(message);
    this.#tags.push(message.headers.etag ?? '');
  }

  /** Makes the object of the parts. `isThere` tells whether an earlier attempt, whose answer was lost, has made it. */
  async complete(isThere: () => Promise<boolean>): Promise<void> {
    const parts = this.#tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
    );
    const body = Buffer.from(
      `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
    );
    const { status, attempts, text } = await this.#client.text(
      {
        method: 'POST',
        key: this.#key,
        query: { uploadId: this.#id },
        headers: { 'if-none-match': '*', 'content-type': 'application/xml' },
        body,
      },
      [404, 412],
    );
    // The status is sent before the work is done, so the body may tell of a failure.
    const code = elementText(text, 'Code');
    if (status === 200 && code === undefined) return;
    if ((attempts > 1 || status === 200) && (await isThere())) return;
    if (status === 412) throw new ObjectExistsError(this.#key);
    if (status === 200)
      throw this.#client.away(new Error(`${code ?? ''} ${elementText(text, 'Message') ?? ''}`.trim()));
    throw new NotStoredError('object', `${this.#key}: its upload was ended by somebody else`);
  }

  async abort(): Promise<void> {
    await abortUpload(this.#client, this.#key, this.#id);
  }
}

/** Removes the parts of an upload; one that has ended is no error. */
export async function abortUpload(client: S3Client, key: string, id: string): Promise<void> {
  const { message } = await client.request({ method: 'DELETE', key, query: { uploadId: id } }, [404]);
  await drained(message);
}

/** All uploads under a prefix that were begun and not ended. */
export async function* unfinishedUploads(client: S3Client, prefix: string): AsyncGenerator<Unfinished> {
  let marker: Record<string, string> = {};
  for (;;) {
    const query = { uploads: '', prefix, ...marker };
    const { text } = await client.text({ method: 'GET', query });
    for (const upload of elements(text, 'Upload')) {
      const [key, id] = [elementText(upload, 'Key'), elementText(upload, 'UploadId')];
      const begunAt = Date.parse(elementText(upload, 'Initiated') ?? '');
      // A store may answer with more than the prefix was asked for.
      if (key?.startsWith(prefix) === true && id !== undefined) yield { key, id, begunAt };
    }
    const next = elementText(text, 'NextKeyMarker');
    if (elementText(text, 'IsTruncated') !== 'true' || next === undefined) return;
    marker = { 'key-marker': next, 'upload-id-marker': elementText(text, 'NextUploadIdMarker') ?? '' };
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
