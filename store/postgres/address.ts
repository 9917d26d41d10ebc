/** An address without its user and password, for messages. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}
