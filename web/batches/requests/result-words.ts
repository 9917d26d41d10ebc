/** A result of a request, as the server stores it; nothing in it is certain to be there. */
type Result = Readonly<Record<string, unknown>> | null;

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** A line that says what came of a request: the reply's text, or the error. */
export function resultWords(result: Result): string {
  const message = member(result, 'message');
  const error = member(member(result, 'error'), 'error');
  if (error !== undefined) return `${text(member(error, 'type'))}: ${text(member(error, 'message'))}`;
  return replyText(message);
}

/** The text of a reply; uses of tools are named. */
function replyText(message: unknown): string {
  const content = member(message, 'content');
  if (!Array.isArray(content)) return '';
  return (content as readonly unknown[])
    .map((block) =>
      member(block, 'type') === 'tool_use'
        ? `uses ${text(member(block, 'name'))}`
        : text(member(block, 'text')),
    )
    .filter((line) => line !== '')
    .join('\n');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
