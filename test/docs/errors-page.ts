import { API_ERRORS } from '@steadyhand/contracts';
import { INFERENCE_ERRORS } from '../../inference/common/errors.ts';
import { DIFFERENCES, ERROR_CODES, FILE_TEXTS, TEXT_FAMILIES } from './error-texts.ts';
import { table } from './table.ts';

/** What is refused before a model is asked. */
const REFUSALS: readonly (readonly string[])[] = [
  ['400', 'A form or a request of the protocol that cannot be read.'],
  ['401', 'The API key is missing or wrong; with `WWW-Authenticate: Bearer`.'],
  ['403', 'A page of another site, or a host name that is not this machine.'],
  ['404', 'No such path, model or version.'],
  ['405', 'A method that the path does not take; with `Allow`.'],
  ['408', 'The body did not arrive in time.'],
  ['413', 'The body is larger than allowed, told as soon as it is.'],
  ['415', 'A content encoding that is not taken.'],
  ['422', 'Values at fault, each named.'],
  ['500', 'A fault on this side; the log has it under the request id.'],
  ['503', 'Too many uploads at once; with `Retry-After`.'],
];

/** docs/errors.md, from the same table that errors are answered from. */
export function errorsPage(): string {
  const rows = Object.entries(API_ERRORS).map(([type, { status, retryable, when }]) => [
    `\`${type}\``,
    String(status),
    retryable ? 'yes' : 'no',
    when,
  ]);
  const inferenceRows = Object.entries(INFERENCE_ERRORS).map(([code, { status, retryable, meaning }]) => [
    `\`${code}\``,
    String(status),
    retryable ? 'yes' : 'no',
    `${meaning}.`,
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
    'Some errors say more in `error.details`, by an `error_code` that the official SDKs know:',
    '',
    ...table(['code', 'status', 'when'], ERROR_CODES),
    '',
    '## What is wrong with a request',
    '',
    'The first rule that a request breaks is told, in the words of the official API as far as they are known: fields in the order of',
    'the schema, then unknown fields, then the rules between fields, messages, pictures and cache breakpoints. A path names the',
    'place, with the type of a block where the API has it: `messages.2.content.0.tool_result.content.1.image.source.base64`.',
    '',
    ...table(['text', 'when'], [...TEXT_FAMILIES.map(({ text, when }) => [text, when]), ...FILE_TEXTS]),
    '',
    'What differs from the official API, knowingly:',
    '',
    ...DIFFERENCES.flatMap(bullet),
    '',
    '## Everything else',
    '',
    'Outside `/v1` errors have FastAPI\'s shape: `{"detail": "..."}`, and for a request whose values are at fault (422) a list that',
    'names each of them: `{"detail": [{"type": "missing", "loc": ["body", "file"], "msg": "Field required", "input": null}]}`.',
    'Under `/v2` they have that of the Open Inference Protocol: `{"error": "..."}`.',
    '',
    ...table(['status', 'when'], REFUSALS),
    '',
    'A request that reached a model fails for one of these reasons; `/metrics` counts them by this name:',
    '',
    ...table(['reason', 'status', 'retry', 'when'], inferenceRows),
    '',
  ].join('\n');
}

const LINE = 130;

/** A point of a list, in lines of a readable length. */
function bullet(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '-';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > LINE) {
      lines.push(line);
      line = `  ${word}`;
    } else line += ` ${word}`;
  }
  return [...lines, line];
}
