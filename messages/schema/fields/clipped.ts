const MAX_NAME = 200;

/** A name that a client made up, no longer than a reader needs to know it again. */
export function clipped(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
