/**
 * The key of an invocation's step in the session's event log. Every attempt of the step has the same key, and no step of an
 * earlier or later workflow of the session has it.
 */
export function stepKey(
  { generation }: { readonly generation: number },
  { step }: { readonly step: number },
  part = '',
): string {
  const name = `step/${generation}.${step}`;
  return part === '' ? name : `${name}/${part}`;
}
