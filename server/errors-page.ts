import { API_ERRORS } from '../messages/errors.ts';

/** docs/errors.md, from the same table that errors are answered from. */
export function errorsPage(): string {
  const rows = Object.entries(API_ERRORS).map(([type, { status, retryable, when }]) => [
    `\`${type}\``,
    String(status),
    retryable ? 'yes' : 'no',
    when,
  ]);
  return [
    '# Errors',
    '',
    'Messages, sessions and sandboxes answer errors as',
    '`{"type": "error", "error": {"type": "...", "message": "..."}, "request_id": "req_..."}`. The `request-id` header of',
    'every answer, good or bad, carries the same id as the log. `x-should-retry` says whether the same request may succeed',
    'later, and `retry-after-ms` when, where that is known.',
    '',
    ...table(['type', 'status', 'retry', 'when'], rows),
    '',
    'A method that a path does not take is an `invalid_request_error` with status 405 and an `Allow` header.',
    '',
  ].join('\n');
}

/** A Markdown table with aligned columns, as the formatter wants it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}
