import { answerRequest } from '../../batches/answer-request.ts';
import { createDefaultProviders } from '../../messages/index.ts';

const none = (): Promise<never> => Promise.reject(new Error('there are no files'));
const files = { describe: none, read: none };

const answer = (params: string): Promise<unknown> =>
  answerRequest(Buffer.from(params), {
    providers: createDefaultProviders({}),
    files,
    betas: [],
    signal: new AbortController().signal,
  });

const paramsSaying = (text: string): string =>
  `{"model": "script", "max_tokens": 100, "messages": [{"role": "user", "content": "- say: ${text}"}]}`;

test('a whole surrogate pair in a request of a batch is taken, half of one is refused', async () => {
  await expect(answer(paramsSaying('\\ud83d\\ude00'))).resolves.toMatchObject({
    content: [{ type: 'text', text: '\u{1f600}' }, {}],
  });
  await expect(answer(paramsSaying('\\ud83d'))).rejects.toMatchObject({
    type: 'invalid_request_error',
    message: 'The request body is not valid JSON: a string holds half a surrogate pair',
  });
});
