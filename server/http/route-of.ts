/** The path as the route was declared, so that ids make no series and no names of their own. */
export function routeOf({
  route,
  originalUrl,
}: {
  readonly route?: unknown;
  readonly originalUrl: string;
}): string {
  const declared = (route as { readonly path?: unknown } | undefined)?.path;
  if (typeof declared === 'string') return declared.replaceAll(/:(\w+)/g, '{$1}');
  return originalUrl.startsWith('/static/') ? '/static' : 'none';
}
