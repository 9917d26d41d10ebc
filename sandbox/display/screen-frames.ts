import { PixelBuffer, type Pixels } from './capture.ts';
import type { XConnection } from './connection.ts';

/** A picture of the screen; its pixels are valid until the next one is requested. */
export interface Frame extends Pixels {
  /** It is false when this is the previous picture again. */
  readonly changed: boolean;
}

/**
 * Follows the screen: it captures a picture only when something on the screen (DAMAGE) or the pointer has changed since
 * the last one. It keeps one picture in memory and costs the X server nothing while nobody asks. Failures are
 * DisplayError.
 */
export class ScreenFrames {
  readonly #connection: XConnection;
  readonly #buffer = new PixelBuffer();
  readonly #damage: number;
  readonly #off: () => void;
  #last: Pixels | null = null;
  #pointer = '';
  #changed = true;
  #closed = false;

  constructor(connection: XConnection) {
    this.#connection = connection;
    const { damage, x, root } = connection;
    this.#damage = x.AllocID();
    damage.Create(this.#damage, root, damage.ReportLevel.BoundingBox);
    this.#off = connection.onEvent((event) => {
      if (event.name === 'DamageNotify' && event.damage === this.#damage) this.#changed = true;
    });
  }

  /** Returns the current picture. Calls are made one at a time. */
  async next(): Promise<Frame> {
    const { damage, x, root, size } = this.#connection;
    const at = await this.#connection.request<{ rootX: number; rootY: number }>('QueryPointer', (done) =>
      x.QueryPointer(root, done),
    );
    const pointer = `${at.rootX},${at.rootY}`;
    const resized = this.#last?.width !== size.width || this.#last.height !== size.height;
    if (this.#last !== null && !this.#changed && !resized && pointer === this.#pointer)
      return { ...this.#last, changed: false };
    this.#pointer = pointer;
    this.#changed = false;
    // This comes before the capture, so that a later change is reported again.
    damage.Subtract(this.#damage, 0, 0);
    try {
      this.#last = await this.#buffer.read(this.#connection);
    } catch (error) {
      this.#changed = true;
      throw error;
    }
    return { ...this.#last, changed: true };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#off();
    if (!this.#connection.alive) return;
    this.#connection.damage.Destroy(this.#damage);
    this.#connection.x.ReleaseID(this.#damage);
  }
}
