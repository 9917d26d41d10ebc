/** Whether a text has the form `postgres://user:password@host:port/database`. User, password and port may be missing. */
export function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname } = new URL(text);
  return /^postgres(?:ql)?:$/.test(protocol) && hostname !== '' && /^\/[^/]+$/.test(pathname);
}

/** An address without its user and password, for messages. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}
