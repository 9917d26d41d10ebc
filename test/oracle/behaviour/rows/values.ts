import type { Request } from '../row-client.ts';

export const seconds = (n: number): Request => ({ seconds: Math.floor(n), nanos: Math.round((n % 1) * 1e9) });

export const json = (value: unknown): Request => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

export const payloads = (...values: unknown[]): Request => ({ payloads: values.map(json) });

export const long = (length: number): string => 'x'.repeat(length);

/** An id of a run that no server has made. */
export const NO_RUN = '0198d1a4-0000-7000-8000-000000000000';

/** A command by the name of its attributes, whose type has the same name. */
export const command = (name: string, attributes: Request | null = {}): Request => ({
  commandType: `COMMAND_TYPE_${name.replaceAll(/[A-Z]/g, (c) => `_${c}`).toUpperCase()}`,
  ...(attributes !== null && { [`${name}CommandAttributes`]: attributes }),
});

export const completion = command('completeWorkflowExecution');
