/**
 * Encoded data in a form that two runs can be compared by: without the stacks of errors, with the keys in one order, and with
 * one name for the workflow itself in addresses.
 */
export function comparable(value: unknown, workflowId: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => comparable(item, workflowId));
  const isError = '$type' in value && value.$type === 'Error' && 'value' in value;
  const isActor = '$type' in value && value.$type === 'Actor' && 'value' in value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]: [string, unknown]) => {
        if (key === 'value' && isError) return [key, comparable(withoutStack(part), workflowId)];
        if (key === 'value' && isActor) return [key, comparable(withoutId(part, workflowId), workflowId)];
        return [key, comparable(part, workflowId)];
      }),
  );
}

function withoutStack(error: unknown): unknown {
  const { stack: _, ...rest } = error as Readonly<Record<string, unknown>>;
  return rest;
}

function withoutId(address: unknown, workflowId: string): unknown {
  const { workflowId: id, ...rest } = address as Readonly<Record<string, unknown>>;
  return { workflowId: id === workflowId ? '(this workflow)' : id, ...rest };
}
