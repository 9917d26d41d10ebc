/** A guard's name: that of a named one, of its function, or `(inline)`. Those of `and`, `or` and `not` are put together. */
export function guardName(guard: unknown): string {
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'object' && guard !== null && 'type' in guard) return String(guard.type);
  if (typeof guard !== 'function') return '(inline)';
  const { guards } = guard as { readonly guards?: unknown };
  const kind = guard.name;
  if (Array.isArray(guards)) {
    return `${kind === '' || kind === 'check' ? 'and' : kind}(${guards.map(guardName).join(', ')})`;
  }
  return kind === '' || kind === 'guard' ? '(inline)' : kind;
}
