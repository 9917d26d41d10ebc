import { describeUse } from './describe-use.ts';
import { noteOf } from './event-note.ts';
import { textOf } from './event-types.ts';
import type { Row } from './rows.ts';

const LONGEST = 90;

/** A row in a line, e.g. for the place on the scrubber. */
export function describeRow(row: Row): string {
  switch (row.kind) {
    case 'turn':
      return `Turn ${row.number}`;
    case 'tool':
    case 'custom':
      return clipped(describeUse(row.use));
    case 'takeover':
      return 'Takeover';
    case 'thought':
      return 'Thought';
    case 'error':
      return row.event.type === 'session.error' ? clipped(row.event.error.message) : 'Error';
    case 'message':
      return clipped('content' in row.event ? textOf(row.event.content as { type: string }[]) : '');
    case 'note':
      return clipped(noteOf(row.event));
  }
}

function clipped(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
