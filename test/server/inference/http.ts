import http from 'node:http';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
  json(): unknown;
}

export interface HttpRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly agent?: http.Agent;
}

/** One request exactly as given: `fetch` adds headers of its own and hides half of what is sent. */
export function request(
  port: number,
  { method = 'GET', path, headers, body, agent }: HttpRequest,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = http.request({
      port,
      method,
      path,
      headers: { ...headers },
      ...(agent === undefined ? {} : { agent }),
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          json: () => JSON.parse(bytes.toString()) as unknown,
        });
      });
    });
    sent.end(body === undefined ? undefined : Buffer.from(body));
  });
}

/** A form with files and texts, as browsers and curl write it. */
export function form(
  parts: Readonly<Record<string, string | Uint8Array>>,
  boundary = 'test-boundary',
): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } {
  const pieces = Object.entries(parts).flatMap(([name, value]) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    typeof value === 'string' ? '' : `; filename="${name}.bin"\r\nContent-Type: application/octet-stream`,
    '\r\n\r\n',
    value,
    '\r\n',
  ]);
  const body = Buffer.concat(
    [...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as Uint8Array)),
  );
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body };
}
