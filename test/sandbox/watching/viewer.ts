import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { keyEvent, pointerEvent } from '../../../sandbox/daemon/watching/rfb-client-stream.ts';

/** A viewer as small as one can be: RFB 3.8, raw pixels of 32 bits. */
export class Viewer {
  readonly #line: Duplex;
  #bytes = Buffer.alloc(0);
  #closed = false;
  #width = 0;
  #height = 0;

  static async open(line: Duplex): Promise<Viewer> {
    const viewer = new Viewer(line);
    await viewer.#greet();
    return viewer;
  }

  private constructor(line: Duplex) {
    this.#line = line;
    line.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      line.emit('more');
    });
    line.on('error', () => undefined);
    line.on('close', () => {
      this.#closed = true;
      line.emit('more');
    });
  }

  get size(): { readonly width: number; readonly height: number } {
    return { width: this.#width, height: this.#height };
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(bytes: Uint8Array): void {
    this.#line.write(bytes);
  }

  key(keysym: number): void {
    this.send(keyEvent(true, keysym).bytes);
    this.send(keyEvent(false, keysym).bytes);
  }

  pointer(x: number, y: number, mask = 0): void {
    this.send(pointerEvent(mask, x, y));
  }

  /** All of the screen, as one update or several: blue, green, red and an unused byte for each pixel. */
  async picture(): Promise<Buffer> {
    const request = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    request.writeUInt16BE(this.#width, 6);
    request.writeUInt16BE(this.#height, 8);
    this.send(request);
    const pixels = Buffer.alloc(this.#width * this.#height * 4);
    for (let left = this.#width * this.#height; left > 0;) {
      const header = await this.#take(4);
      if (header[0] !== 0) throw new Error(`message ${header[0]}`);
      left -= await this.#rectangles(header.readUInt16BE(2), pixels);
    }
    return pixels;
  }

  close(): void {
    this.#line.destroy();
  }

  async #greet(): Promise<void> {
    if ((await this.#take(12)).toString() !== 'RFB 003.008\n') throw new Error('no RFB');
    this.send(Buffer.from('RFB 003.008\n'));
    const [count = 0] = await this.#take(1);
    if (!(await this.#take(count)).includes(1)) throw new Error('security None is not offered');
    this.send(Buffer.from([1]));
    await this.#take(4);
    this.send(Buffer.from([0]));
    const init = await this.#take(24);
    this.#width = init.readUInt16BE(0);
    this.#height = init.readUInt16BE(2);
    await this.#take(init.readUInt32BE(20));
    // Raw pixels alone.
    this.send(Buffer.from([2, 0, 0, 1, 0, 0, 0, 0]));
  }

  /** Reads the rectangles of an update into the picture; answers how many pixels they have. */
  async #rectangles(count: number, pixels: Buffer): Promise<number> {
    let seen = 0;
    for (let rect = 0; rect < count; rect++) {
      const head = await this.#take(12);
      const [x, y, width, height] = [0, 2, 4, 6].map((at) => head.readUInt16BE(at)) as [
        number,
        number,
        number,
        number,
      ];
      const data = await this.#take(width * height * 4);
      for (let row = 0; row < height; row++) {
        data.copy(pixels, ((y + row) * this.#width + x) * 4, row * width * 4, (row + 1) * width * 4);
      }
      seen += width * height;
    }
    return seen;
  }

  async #take(length: number): Promise<Buffer> {
    while (this.#bytes.length < length) {
      if (this.#closed) throw new Error('the line was closed');
      await once(this.#line, 'more');
    }
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }
}
