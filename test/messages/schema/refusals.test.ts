import { InvalidRequestError } from '@steadyhand/contracts';
import { parseCountRequest, parseMessageRequest } from '../../../messages/index.ts';
import { COMPUTER_USE, png } from '../support.ts';
import { base64, bash, messages, NOT_AN_OBJECT, result, used, VALID } from './bad-requests/bad-request.ts';
import { fromUser } from '../../support/blocks.ts';

/** What a table of requests and texts cannot show: see `bad-requests/` for the texts. */

it('is an error of its own for every caller', () => {
  for (const body of [null, 'hello', 7, [VALID], undefined, {}]) {
    expect(() => parseMessageRequest(body, { betas: [] })).toThrow(InvalidRequestError);
    expect(() => parseCountRequest(body, { betas: [] })).toThrow(InvalidRequestError);
  }
  expect(() => parseMessageRequest([], { betas: [] })).toThrow(NOT_AN_OBJECT);
});

it('tells of the first broken rule only: fields before rules between them, known fields before unknown ones', () => {
  const body = { ...VALID, zebra: 1, max_tokens: 'x', messages: [], tools: [bash, bash] };
  expect(() => parseMessageRequest(body, { betas: [COMPUTER_USE] })).toThrow(
    'max_tokens: Input should be a valid integer',
  );
  expect(() => parseMessageRequest({ ...body, max_tokens: 1 }, { betas: [COMPUTER_USE] })).toThrow(
    'zebra: Extra',
  );
});

it('says of pictures too large which they are and what would do', () => {
  const wide = { type: 'image', source: base64(png(9000, 5)) };
  const small = { type: 'image', source: base64(png(5, 5)) };
  const body = {
    ...VALID,
    ...messages(
      used,
      fromUser([
        result('toolu_1', { content: [small, wide] }),
        small,
        wide,
        { type: 'document', source: { type: 'content', content: [wide] } },
      ]),
    ),
  };
  expect(() => parseMessageRequest(body, { betas: [] })).toThrow(
    expect.objectContaining({
      details: {
        error_code: 'image_dimensions_too_large',
        max_side_length_pixels: 8000,
        paths: ['messages.2.content.0.content.1', 'messages.2.content.2', 'messages.2.content.3.content.0'],
      },
    }) as Error,
  );
});

it('says of a thread, in the details, what the SDK’s tool runner understands', () => {
  expect(() => parseMessageRequest({ ...VALID, thread: { type: 'create' } }, { betas: [] })).toThrow(
    expect.objectContaining({ details: { error_code: 'thread_unsupported_request' } }) as Error,
  );
});
