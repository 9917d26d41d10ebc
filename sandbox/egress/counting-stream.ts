import { Duplex } from 'node:stream';

/**
 * A stream around another one that counts the bytes that pass. HTTP/2 would read a socket's file descriptor directly,
 * past bytes that were put back into the stream, and would treat a TLS socket by the protocol it was opened for. The
 * wrapper hides both.
 */
export class CountingStream extends Duplex {
  readonly #inner: Duplex;
  bytesRead = 0;
  bytesWritten = 0;

  constructor(inner: Duplex) {
    super();
    this.#inner = inner;
    inner.on('data', (chunk: Buffer) => {
      this.bytesRead += chunk.length;
      if (!this.push(chunk)) inner.pause();
    });
    inner.once('end', () => this.push(null));
    inner.on('error', (error) => this.destroy(error));
    inner.once('close', () => {
      // Bytes that were read and not yet consumed can still be consumed.
      if (inner.readableEnded) this.end();
      else this.destroy();
    });
  }

  override _read(): void {
    this.#inner.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.bytesWritten += chunk.length;
    this.#inner.write(chunk, encoding, done);
  }

  override _final(done: () => void): void {
    if (this.#inner.destroyed || this.#inner.writableEnded) done();
    else this.#inner.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inner.destroy();
    done(error);
  }
}
