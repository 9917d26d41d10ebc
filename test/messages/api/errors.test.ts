import type { Anthropic } from '@anthropic-ai/sdk';
import { ModelNotFoundError, ProviderOverloadedError } from '../../../messages/index.ts';
import {
  ProviderRateLimitedError,
  ProviderRefusedError,
  ProviderTimedOutError,
  ProviderUnavailableError,
} from '../../../messages/api/errors.ts';
import { API_ERRORS, ApiError, InvalidRequestError } from '@steadyhand/contracts';

it('knows the status of every error of the API', () => {
  expect(Object.fromEntries(Object.entries(API_ERRORS).map(([type, { status }]) => [type, status]))).toEqual({
    invalid_request_error: 400,
    authentication_error: 401,
    billing_error: 402,
    permission_error: 403,
    not_found_error: 404,
    conflict_error: 409,
    request_too_large: 413,
    rate_limit_error: 429,
    api_error: 500,
    unsupported_error: 501,
    timeout_error: 504,
    overloaded_error: 529,
  });
});

it('says of exactly those errors that they may pass by themselves that the SDK retries', () => {
  for (const { status, retryable } of Object.values(API_ERRORS)) {
    // 409 is retried by the SDK too; here it is a state that a client must change.
    // What is not supported stays so, and `x-should-retry` says it.
    expect(retryable).toBe(status === 429 || (status >= 500 && status !== 501));
  }
});

it('has an entry for every error type that the Messages API of the SDK can meet', () => {
  const fromSdk: readonly Exclude<Anthropic.ErrorType, `memory_${string}`>[] = [
    'invalid_request_error',
    'authentication_error',
    'billing_error',
    'permission_error',
    'not_found_error',
    'rate_limit_error',
    'timeout_error',
    'api_error',
    'overloaded_error',
    'conflict_error',
  ];
  expect(Object.keys(API_ERRORS)).toEqual(expect.arrayContaining([...fromSdk]));
});

it.each([
  [new InvalidRequestError('model: Field required'), 400, 'invalid_request_error', false],
  [new ModelNotFoundError('gpt'), 404, 'not_found_error', false],
  [new ProviderRateLimitedError('slow down', { retryAfterMs: 5 }), 429, 'rate_limit_error', true],
  [new ProviderOverloadedError('Overloaded'), 529, 'overloaded_error', true],
  [new ProviderUnavailableError('gone'), 500, 'api_error', true],
  [new ProviderTimedOutError('late'), 504, 'timeout_error', true],
  [new ProviderRefusedError('permission_error', 'no'), 403, 'permission_error', false],
  [new ProviderRefusedError('teapot_error', 'no', { status: 418 }), 418, 'teapot_error', false],
])('%s has an answer', (error, status, type, retryable) => {
  expect(error).toBeInstanceOf(ApiError);
  expect(error.name).toBe(error.constructor.name);
  expect(error).toMatchObject({ status, type, retryable });
  expect(error.body()).toEqual({ type: 'error', error: { type, message: error.message } });
});
