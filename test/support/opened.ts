interface Closable {
  close(): unknown;
}

/** What closes all that is open now; the last to be opened is the first to be closed. */
const closers: (() => unknown)[] = [];

/**
 * Opens something before the tests of the file or `describe` that this is called in, and closes it after them, what was
 * opened later first. What comes back stands for what was opened, once a test or a later hook looks into it.
 */
export function openedForAll<T extends Closable>(open: () => T | Promise<T>): T;
export function openedForAll<T extends object>(
  open: () => T | Promise<T>,
  close: (opened: T) => unknown,
  ms?: number,
): T;
export function openedForAll<T extends object>(
  open: () => T | Promise<T>,
  close?: (opened: T) => unknown,
  ms?: number,
): T {
  return opened(
    { open, close },
    (hook) => void beforeAll(hook, ms),
    (hook) => void afterAll(hook, ms),
  );
}

/** The same around every single test. */
export function openedForEach<T extends Closable>(open: () => T | Promise<T>): T;
export function openedForEach<T extends object>(open: () => T | Promise<T>, close: (opened: T) => unknown): T;
export function openedForEach<T extends object>(
  open: () => T | Promise<T>,
  close?: (opened: T) => unknown,
): T {
  return opened({ open, close }, beforeEach, afterEach);
}

/** For what needs no closing, or is closed by what it came from. */
export function madeForAll<T extends object>(make: () => T | Promise<T>): T {
  return openedForAll(make, () => undefined);
}

/** The same before every single test. */
export function madeForEach<T extends object>(make: () => T | Promise<T>): T {
  return openedForEach(make, () => undefined);
}

type Hook = (run: () => Promise<void>) => void;

function opened<T extends object>(
  { open, close = closeIt }: { open: () => T | Promise<T>; close: ((opened: T) => unknown) | undefined },
  before: Hook,
  after: Hook,
): T {
  let current: T | undefined;
  before(async () => {
    let closer = (): unknown => undefined;
    try {
      const now = await open();
      closer = () => close(now);
      current = now;
    } finally {
      closers.push(closer);
    }
  });
  after(async () => void (await closers.pop()?.()));
  return standIn(() => {
    if (current === undefined) throw new Error('not opened yet: only tests and later hooks may look into it');
    return current;
  });
}

function closeIt(opened: object): unknown {
  return (opened as Closable).close();
}

function standIn<T extends object>(of: () => T): T {
  return new Proxy({} as T, {
    get: (_, name) => {
      const value: unknown = Reflect.get(of(), name, of());
      return typeof value === 'function' ? (value.bind(of()) as unknown) : value;
    },
    set: (_, name, value) => Reflect.set(of(), name, value, of()),
    has: (_, name) => Reflect.has(of(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(of()),
  });
}
