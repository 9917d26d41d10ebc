/** The members that are not undefined, for types whose members may be absent but not undefined. */
export function defined<T extends object>(
  members: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as ReturnType<typeof defined<T>>;
}
