import type { XConnection } from './connection.ts';
import { pause } from './settle.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** X's button numbers. */
export const BUTTON = { left: 1, middle: 2, right: 3 } as const;
export type Button = (typeof BUTTON)[keyof typeof BUTTON];

/** In X a step of the wheel is a click of a button. */
export const WHEEL = { up: 4, down: 5, left: 6, right: 7 } as const;
export type Wheel = keyof typeof WHEEL;

/** Toolkits recognise a drag only after having seen the pointer move with the button down. */
const DRAG_STEPS = 8;
const DRAG_STEP_MS = 8;

/**
 * The pointer, by XTEST over the display's own connection. This is the extension that xdotool uses, without a process
 * for each move and click, and with the round trip that shows when the server has carried it out.
 */
export class Mouse {
  readonly #connect: () => Promise<XConnection>;

  constructor(connect: () => Promise<XConnection>) {
    this.#connect = connect;
  }

  /** Returns the position of the pointer in screen pixels. */
  async position(): Promise<Point> {
    const connection = await this.#connect();
    return position(connection);
  }

  async move(to: Point): Promise<void> {
    const connection = await this.#connect();
    motion(connection, to);
    await connection.sync();
  }

  /**
   * Clicks `count` times where the pointer is, `gapMs` from one click to the next. The server keeps that time, so the
   * clicks are one double click however long a loaded machine delays this process.
   */
  async click(button: Button, count = 1, gapMs = 10): Promise<void> {
    const connection = await this.#connect();
    for (let i = 0; i < count; i++) {
      press(connection, button, true, i === 0 ? 0 : gapMs);
      press(connection, button, false);
    }
    await connection.sync();
  }

  /** Presses the button where the pointer is; it stays pressed until `release`. */
  async press(button: Button): Promise<void> {
    const connection = await this.#connect();
    press(connection, button, true);
    await connection.sync();
  }

  async release(button: Button): Promise<void> {
    const connection = await this.#connect();
    press(connection, button, false);
    await connection.sync();
  }

  /** Turns the wheel by `clicks` steps where the pointer is. */
  async scroll(direction: Wheel, clicks: number, signal?: AbortSignal): Promise<void> {
    const connection = await this.#connect();
    for (let i = 0; i < clicks && signal?.aborted !== true; i++) {
      press(connection, WHEEL[direction], true);
      press(connection, WHEEL[direction], false);
      await connection.sync();
    }
  }

  /** Presses the button where the pointer is, moves to `to` and releases it. The button never stays pressed. */
  async drag(to: Point, button: Button = BUTTON.left): Promise<void> {
    const connection = await this.#connect();
    const from = await position(connection);
    press(connection, button, true);
    try {
      for (let step = 1; step <= DRAG_STEPS; step++) {
        await pause(DRAG_STEP_MS);
        const at = (a: number, b: number): number => Math.round(a + ((b - a) * step) / DRAG_STEPS);
        motion(connection, { x: at(from.x, to.x), y: at(from.y, to.y) });
        await connection.sync();
      }
      await pause(DRAG_STEP_MS);
    } finally {
      press(connection, button, false);
      await connection.sync();
    }
  }
}

async function position(connection: XConnection): Promise<Point> {
  const { rootX, rootY } = await connection.request<{ rootX: number; rootY: number }>(
    'QueryPointer',
    (done) => connection.x.QueryPointer(connection.root, done),
  );
  return { x: rootX, y: rootY };
}

function motion(connection: XConnection, to: Point): void {
  const { xtest, root } = connection;
  xtest.FakeInput(xtest.MotionNotify, 0, 0, root, to.x, to.y);
}

/** The server waits `delayMs` after the previous event, and delays what follows too. */
function press({ xtest, root }: XConnection, button: number, down: boolean, delayMs = 0): void {
  xtest.FakeInput(down ? xtest.ButtonPress : xtest.ButtonRelease, button, delayMs, root, 0, 0);
}
