import { createConnection } from 'node:net';
import x11 from 'x11';
import type { XClient, XDisplay, XEvent } from 'x11';

import { forgetAtoms } from '../../../sandbox/display/connection.ts';

const INPUT_OUTPUT = 1;
/** Predefined atoms: the types of the properties. */
const ATOM = 4;
const WINDOW = 33;
const NAMES = ['KeyPress', 'KeyRelease', 'ButtonPress', 'ButtonRelease', 'MotionNotify'];

/** A program with one window over the whole screen that reports every input it gets and paints what it is told to. */
export interface ClickTarget {
  /** Input in the order it came; `keycode` is the button for mouse events. */
  readonly events: readonly XEvent[];
  /** Forgets the events so far. */
  clear(): void;
  /** Events of one kind, as `button@x,y`. */
  clicks(name?: 'ButtonPress' | 'ButtonRelease'): string[];
  fill(color: number, x: number, y: number, width: number, height: number): void;
  resize(width: number, height: number): void;
  /**
   * From now on the program in front, and one that answers the window manager's pings: `work` ends before it does. Until
   * the function that it gives is called.
   */
  answerPings(work: () => Promise<void>): Promise<() => Promise<void>>;
  /** Has carried out all that was asked, and has got all input that the server had for it. */
  sync(): Promise<void>;
  close(): void;
}

export async function openClickTarget(socketPath: string, background = 0x204060): Promise<ClickTarget> {
  const display = await new Promise<XDisplay>((resolve, reject) => {
    x11.createClient(
      { stream: createConnection(socketPath), display: ':0', auth: { name: '', data: '' } },
      (error: Error | null | undefined, ready: XDisplay) => (error == null ? resolve(ready) : reject(error)),
    );
  });
  const x: XClient = display.client;
  forgetAtoms(x);
  const screen = display.screen[0];
  if (screen === undefined) throw new Error('no screen');
  const { KeyPress = 0, KeyRelease = 0, ButtonPress = 0, ButtonRelease = 0, PointerMotion = 0 } = x.eventMask;
  const window = x.AllocID();
  x.CreateWindow(window, screen.root, 0, 0, screen.pixel_width, screen.pixel_height, 0, 0, INPUT_OUTPUT, 0, {
    overrideRedirect: true,
    backgroundPixel: background,
    eventMask: KeyPress | KeyRelease | ButtonPress | ButtonRelease | PointerMotion,
  });
  x.MapWindow(window);
  x.SetInputFocus(window, 1);
  const gc = x.AllocID();
  x.CreateGC(gc, window, {});
  let events: XEvent[] = [];
  x.on('error', () => undefined);
  x.on('event', (event: XEvent) => {
    if (NAMES.includes(event.name)) events.push(event);
  });
  const sync = (): Promise<void> => new Promise((resolve) => x.sync(() => resolve()));
  await sync();
  const atom = (name: string): Promise<number> =>
    new Promise((resolve) => x.InternAtom(false, name, (_, value) => resolve(value)));
  return {
    get events() {
      return events;
    },
    clear: () => {
      events = [];
    },
    clicks: (name = 'ButtonPress') =>
      events
        .filter((event) => event.name === name)
        .map((event) => `${event.keycode}@${event.rootx},${event.rooty}`),
    fill: (color, left, top, width, height) => {
      x.ChangeGC(gc, { foreground: color });
      x.PolyFillRectangle(window, gc, [left, top, width, height]);
    },
    resize: (width, height) => x.ResizeWindow(window, width, height),
    answerPings: async (work) => {
      const [active, protocols, ping] = await Promise.all(
        ['_NET_ACTIVE_WINDOW', 'WM_PROTOCOLS', '_NET_WM_PING'].map(atom),
      );
      if (active === undefined || protocols === undefined || ping === undefined) throw new Error('no atoms');
      x.ChangeProperty(0, window, protocols, ATOM, 32, [ping]);
      x.ChangeProperty(0, screen.root, active, WINDOW, 32, [window]);
      const answer = (event: XEvent): void => {
        if (event.name !== 'ClientMessage' || event.data?.[0] !== ping) return;
        const { data } = event;
        void work().then(() =>
          x.SendClientMessage(
            screen.root,
            screen.root,
            protocols,
            32,
            data,
            (x.eventMask['SubstructureNotify'] ?? 0) | (x.eventMask['SubstructureRedirect'] ?? 0),
          ),
        );
      };
      x.on('event', answer);
      await sync();
      return async () => {
        x.off('event', answer);
        x.ChangeProperty(0, screen.root, active, WINDOW, 32, [0]);
        await sync();
      };
    },
    sync,
    close: () => x.terminate(),
  };
}
