/** Names an invocation's step in the session's log: every attempt of it has the same name. */
export function stepKey(invocation: { readonly step: number }, part = ''): string {
  return part === '' ? `step/${invocation.step}` : `step/${invocation.step}/${part}`;
}
