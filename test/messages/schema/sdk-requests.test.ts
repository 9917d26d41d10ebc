import { assertProperty, fc } from '../../support/fast-check.ts';
import { parseCountRequest, parseMessageRequest } from '../../../messages/index.ts';
import { TOOL_BETAS } from '../../../messages/tools/provider-tools.ts';
import { sdkRequest } from './sdk-requests.ts';

/** Betas that leave a description to the client: only the first computer-use release asks for one. */
const betas = TOOL_BETAS.filter((beta) => beta !== 'computer-use-2024-10-22');

/** As it comes off the wire. */
function sent(request: object): unknown {
  return JSON.parse(JSON.stringify(request));
}

it('takes every request that the SDK’s types allow, and changes nothing in it', () => {
  assertProperty(300, sdkRequest, (request) => {
    const ofFirstRelease = (request.tools ?? []).some(({ type }) => type?.endsWith('20241022'));
    fc.pre(!ofFirstRelease);
    const body = sent(request) as Record<string, unknown>;
    const { tools = [], ...rest } = body;
    expect(parseMessageRequest(body, { betas })).toEqual({ stream: false, ...rest, tools, betas });
  });
});

it('takes the first release’s tools under its beta', () => {
  assertProperty(200, sdkRequest, (request) => {
    const described = (request.tools ?? []).map((tool) =>
      'input_schema' in tool ? { description: 'mine', ...tool } : tool,
    );
    const body = sent({ ...request, ...(described.length === 0 ? {} : { tools: described }) });
    expect(() => parseMessageRequest(body, { betas: TOOL_BETAS })).not.toThrow();
  });
});

it('takes what is shared with a request for a count', () => {
  const OF_MESSAGES = [
    'max_tokens',
    'container',
    'diagnostics',
    'fallbacks',
    'fallback_credit_token',
    'inference_geo',
    'metadata',
    'service_tier',
    'stop_sequences',
    'stream',
  ];
  assertProperty(100, sdkRequest, (request) => {
    const body = Object.fromEntries(
      Object.entries(sent(request) as object).filter(([field]) => !OF_MESSAGES.includes(field)),
    );
    const described = Array.isArray(body['tools'])
      ? {
          tools: body['tools'].map((tool: object) =>
            'input_schema' in tool ? { description: 'd', ...tool } : tool,
          ),
        }
      : {};
    expect(parseCountRequest({ ...body, ...described }, { betas: TOOL_BETAS })).toMatchObject({
      model: request.model,
      max_tokens: 1,
    });
  });
});
