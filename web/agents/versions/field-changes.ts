import type { Agent } from '../../client/api.ts';
import { type DiffLine, lineDiff } from '../../parts/line-diff.ts';

/** A field of an agent that differs between two versions, by lines. */
export interface FieldChange {
  readonly field: string;
  readonly label: string;
  readonly lines: readonly DiffLine[];
}

/** Every field that a version has, in the order in which they are read. */
const FIELDS = {
  name: 'Name',
  model: 'Model',
  description: 'Description',
  system: 'System prompt',
  tools: 'Tools',
  policy: 'Action policy',
  context_care: 'Context care',
  metadata: 'Metadata',
} as const satisfies Partial<Record<keyof Agent, string>>;

/** What differs between two versions, field by field; the system prompt by its lines, other values by those of their JSON. */
export function fieldChanges(before: Agent, after: Agent): readonly FieldChange[] {
  return Object.entries(FIELDS).flatMap(([field, label]) => {
    const [left, right] = [before, after].map((agent) => textOf(agent[field as keyof typeof FIELDS]));
    return left === right ? [] : [{ field, label, lines: lineDiff(left ?? '', right ?? '') }];
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
