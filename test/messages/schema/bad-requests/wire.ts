import { bad, type BadRequest, VALID } from './bad-request.ts';

const NOT_JSON = 'The request body is not valid JSON';
const unexpected = (values: string): string =>
  `Unexpected value(s) ${values} for the \`anthropic-beta\` header. Please consult our documentation at docs.anthropic.com or try again without the header.`;
const raw = (text: string): { raw: string } => ({ raw: text });
const header = (name: string, value: string | null): { headers: Record<string, string | null> } => ({
  headers: { [name]: value },
});

/** What is wrong before there is a request: headers, and bodies that are no JSON. */
export const WIRE: readonly BadRequest[] = [
  bad('no version of the API', {}, 'anthropic-version: header is required', {
    ...header('anthropic-version', null),
    seen: 'PipedreamHQ/pipedream#9697',
  }),
  bad('an empty version', {}, 'anthropic-version: header is required', header('anthropic-version', '')),
  bad('a version that was never published', {}, 'anthropic-version: "2023-10-01" is not a valid version', {
    ...header('anthropic-version', '2023-10-01'),
    seen: 'directus-labs/extensions#285',
  }),
  bad('a version twice', {}, 'anthropic-version: "2023-06-01, 2023-06-01" is not a valid version', {
    ...header('anthropic-version', '2023-06-01, 2023-06-01'),
    seen: 'decolua/9router#2357',
  }),
  bad('no version for a count', {}, 'anthropic-version: header is required', {
    ...header('anthropic-version', null),
    path: '/v1/messages/count_tokens',
  }),
  bad('no version for a batch', {}, 'anthropic-version: header is required', {
    ...header('anthropic-version', null),
    path: '/v1/messages/batches',
  }),
  bad('no version for the models', {}, 'anthropic-version: header is required', {
    ...header('anthropic-version', null),
    path: '/v1/models',
  }),
  bad('no version for the files', {}, 'anthropic-version: header is required', {
    ...header('anthropic-version', null),
    path: '/v1/files',
  }),
  bad('a beta that cannot be one', {}, unexpected('`no beta`'), header('anthropic-beta', 'no beta')),
  bad(
    'betas of which two cannot be one',
    {},
    unexpected('`-x`, `a:b`'),
    header('anthropic-beta', 'computer-use-2024-10-22, -x,a:b'),
  ),
  bad('a beta in the body that cannot be one', { betas: ['what?'] }, unexpected('`what?`')),
  bad(
    'another content type',
    {},
    'content-type: expected application/json, got text/plain',
    header('content-type', 'text/plain'),
  ),
  bad(
    'another character set',
    {},
    'content-type: charset utf-16 is not supported; send no charset, UTF-8, ISO-8859-1 or US-ASCII',
    header('content-type', 'application/json; charset=utf-16'),
  ),
  bad('another encoding', {}, 'content-encoding: br is not supported; gzip and deflate are taken', {
    ...header('content-encoding', 'br'),
  }),
  bad(
    'nothing at all',
    {},
    `${NOT_JSON}: Input is a zero-length, empty document: line 1 column 1 (char 0)`,
    raw(''),
  ),
  bad('white space alone', {}, `${NOT_JSON}: input data is empty: line 1 column 1 (char 0)`, raw(' \n')),
  bad(
    'a text that is cut',
    {},
    `${NOT_JSON}: unexpected end of data: line 1 column 11 (char 10)`,
    raw('{"model": '),
  ),
  bad(
    'a comma too many',
    {},
    `${NOT_JSON}: trailing comma is not allowed: line 1 column 20 (char 19)`,
    raw('{"model": "script" ,}'),
  ),
  bad(
    'single quotes',
    {},
    `${NOT_JSON}: unexpected character, expected a string key: line 1 column 2 (char 1)`,
    raw("{'model': 1}"),
  ),
  bad(
    'NaN',
    {},
    `${NOT_JSON}: unexpected character, expected a JSON value: line 1 column 16 (char 15)`,
    raw('{"temperature":NaN}'),
  ),
  bad(
    'infinity',
    {},
    `${NOT_JSON}: number is infinity when parsed as double: line 1 column 16 (char 15)`,
    raw('{"temperature":1e999}'),
  ),
  bad(
    'half a pair of surrogates',
    {},
    `${NOT_JSON}: no low surrogate in string: line 1 column 11 (char 10)`,
    { ...raw('{"model":"\\ud83d"}'), seen: 'anthropics/claude-code#60394' },
  ),
  bad(
    'a control character in a text',
    {},
    `${NOT_JSON}: unexpected control character in string: line 1 column 12 (char 11)`,
    raw('{"model":"a\nb"}'),
  ),
  bad(
    'bytes that are no UTF-8',
    {},
    `${NOT_JSON}: str is not valid UTF-8: surrogates not allowed: line 1 column 1 (char 0)`,
    { raw: new Uint8Array([0x22, 0xff, 0x22]) },
  ),
  bad(
    'lists without end',
    {},
    `${NOT_JSON}: depth limit exceeded: line 1 column 1026 (char 1025)`,
    raw('['.repeat(2000)),
  ),
  bad(
    'two bodies in one',
    {},
    `${NOT_JSON}: unexpected content after document: line 1 column 3 (char 2)`,
    raw('{}{}'),
  ),
  bad('a list', {}, 'Input should be a valid dictionary or object to extract fields from', raw('[]')),
  bad('null', {}, 'Input should be a valid dictionary or object to extract fields from', raw('null')),
  bad('a text', {}, 'Input should be a valid dictionary or object to extract fields from', raw('"hello"')),
  bad('a number', {}, 'Input should be a valid dictionary or object to extract fields from', raw('7')),
  bad('an empty object', {}, 'model: Field required', raw('{}')),
  bad(
    'a field that every object has',
    {},
    '__proto__: Extra inputs are not permitted',
    raw(JSON.stringify(VALID).replace('{', '{"__proto__": {"stream": true},')),
  ),
  bad('a body of more than 32 MB', {}, 'Request exceeds the maximum size', {
    raw: `"${'x'.repeat(32 * 1024 * 1024)}"`,
    status: 413,
    type: 'request_too_large',
    seen: 'anthropics/anthropic-sdk-python#938',
  }),
  bad('a model that nobody serves', { model: 'gone' }, 'model: gone', {
    status: 404,
    type: 'not_found_error',
  }),
  bad('a route that is not there', {}, 'No such route: POST /v1/messages/none', {
    path: '/v1/messages/none',
    status: 404,
    type: 'not_found_error',
  }),
];
