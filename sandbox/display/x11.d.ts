/** The part of the npm package `x11` (a pure JavaScript X client without types of its own) that this folder uses. */
declare module 'x11' {
  import type { EventEmitter } from 'node:events';
  import type { Duplex } from 'node:stream';

  /** A reply callback. It answers true when it has dealt with the error, else the client emits `error`. */
  export type Reply<T> = (error: Error | null | undefined, value: T) => boolean | void;

  export interface Screen {
    readonly root: number;
    readonly pixel_width: number;
    readonly pixel_height: number;
    readonly root_depth: number;
  }

  export interface XDisplay {
    readonly client: XClient;
    readonly screen: readonly Screen[];
    readonly min_keycode: number;
    readonly max_keycode: number;
    readonly format: Readonly<Record<string, { readonly bits_per_pixel: number }>>;
  }

  export interface XEvent {
    readonly name: string;
    readonly wid?: number;
    /** In a ConfigureNotify this is the window it is about; `wid` is the one it was requested for. */
    readonly wid1?: number;
    readonly width?: number;
    readonly height?: number;
    readonly time?: number;
    /** In selection events: the owner, the requestor, the format, and the property to write. */
    readonly owner?: number;
    readonly requestor?: number;
    readonly selection?: number;
    readonly target?: number;
    readonly property?: number;
    /** In a PropertyNotify: the property, and 0 for a new value or 1 for a deleted one. */
    readonly atom?: number;
    readonly state?: number;
    readonly message_type?: number;
    readonly data?: readonly number[];
    readonly damage?: number;
    readonly area?: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  }

  export interface PointerReply {
    readonly rootX: number;
    readonly rootY: number;
    readonly child: number;
    readonly keyMask: number;
  }

  export interface PropertyReply {
    readonly type: number;
    readonly data: Buffer;
  }

  export interface XClient extends EventEmitter {
    /** The number of requests sent so far. */
    readonly seq_num: number;
    /** Returns the whole sequence number for the sixteen bits that a packet carries. */
    _widenSeq: (wire: number) => number;
    readonly eventMask: Readonly<Record<string, number>>;
    /** Known atoms by name. */
    atoms: Record<string, number>;
    AllocID(): number;
    ReleaseID(id: number): void;
    CreateWindow(
      id: number,
      parent: number,
      x: number,
      y: number,
      width: number,
      height: number,
      border: number,
      depth: number,
      windowClass: number,
      visual: number,
      values: {
        readonly overrideRedirect?: boolean;
        readonly backgroundPixel?: number;
        readonly eventMask?: number;
      },
    ): void;
    ChangeProperty(
      mode: number,
      window: number,
      name: number,
      type: number,
      format: number,
      data: readonly number[] | Buffer,
    ): void;
    SetSelectionOwner(window: number, selection: number, time: number): void;
    ConvertSelection(
      requestor: number,
      selection: number,
      target: number,
      property: number,
      time: number,
    ): void;
    SendEvent(destination: number, propagate: number, eventMask: number, event: XEvent): void;
    ChangeWindowAttributes(window: number, values: { readonly eventMask: number }): void;
    GetImage(
      format: number,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planeMask: number,
      done: Reply<{ readonly depth: number; readonly data: Buffer }>,
    ): void;
    QueryPointer(window: number, done: Reply<PointerReply>): void;
    QueryKeymap(done: Reply<unknown>): void;
    GetKeyboardMapping(first: number, count: number, done: Reply<number[][]>): void;
    ChangeKeyboardMapping(first: number, perKeycode: number, keysyms: readonly number[]): void;
    InternAtom(onlyIfExists: boolean, name: string, done: Reply<number>): void;
    GetProperty(
      remove: number,
      window: number,
      name: number,
      type: number,
      offset: number,
      length: number,
      done: Reply<PropertyReply>,
    ): void;
    SendClientMessage(
      destination: number,
      window: number,
      type: number,
      format: number,
      data: readonly number[],
      eventMask: number,
    ): void;
    sync(done: (error: Error | null) => void): void;
    require(name: 'damage', done: Reply<Damage>): void;
    require(name: 'fixes', done: Reply<Fixes>): void;
    require(name: 'xtest', done: Reply<XTest>): void;
    terminate(): void;
  }

  export interface Damage {
    readonly ReportLevel: { readonly BoundingBox: number };
    Create(damage: number, drawable: number, level: number): void;
    Subtract(damage: number, repair: number, parts: number): void;
    Destroy(damage: number): void;
  }

  export interface CursorImage {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly xhot: number;
    readonly yhot: number;
    /** Premultiplied ARGB, little endian. */
    readonly cursorImage: Buffer;
  }

  export interface Fixes {
    GetCursorImage(done: Reply<CursorImage>): void;
  }

  export interface XTest {
    readonly KeyPress: number;
    readonly KeyRelease: number;
    readonly ButtonPress: number;
    readonly ButtonRelease: number;
    readonly MotionNotify: number;
    FakeInput(type: number, detail: number, delayMs: number, window: number, x: number, y: number): void;
  }

  export interface X11 {
    createClient(
      options: {
        readonly stream: Duplex;
        readonly display: string;
        readonly auth: { readonly name: string; readonly data: string };
      },
      ready: (error: Error | null | undefined, display: XDisplay) => void,
    ): XClient;
    /** By name with the prefix `XK_`. */
    readonly keySyms: Readonly<Record<string, { readonly code: number } | undefined>>;
  }

  const x11: X11;
  export default x11;
}
