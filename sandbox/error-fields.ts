/**
 * What an unknown thrown value says of itself. By its fields, not by `instanceof`: errors of Node's own modules come from
 * another realm when a module runs inside a vm context, as under jest.
 */
export function errorCode(error: unknown): string | undefined {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

export function errorText(error: unknown): string {
  const message: unknown =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  return typeof message === 'string' ? message : String(error);
}

/** The disk is full, or the share of it that may be used. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
}
