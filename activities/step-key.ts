/**
 * Names an invocation's step in the session's log: every attempt of it has the same name, and no step of an earlier or later
 * workflow of the session has it.
 */
export function stepKey(
  { generation }: { readonly generation: number },
  { step }: { readonly step: number },
  part = '',
): string {
  const name = `step/${generation}.${step}`;
  return part === '' ? name : `${name}/${part}`;
}
