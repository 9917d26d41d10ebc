import { JsonInvalidError, JsonTooLargeError, parseJson } from '../body/json-reader.ts';
import { RequestRefusedError } from '../body/request-refused.ts';
import type { Pace } from '../http/pacing.ts';
import { RequestInvalidError } from './errors.ts';

/** A JSON body of a route with FastAPI's shapes. Throws RequestInvalidError, or RequestRefusedError (413). */
export function readJsonBody(bytes: Buffer, pace: Pace): Promise<unknown> {
  return readJson(bytes, pace, ({ message, position }) => {
    const fault = { type: 'json_invalid', loc: ['body', position], msg: 'JSON decode error', input: {} };
    return new RequestInvalidError([{ ...fault, ctx: { error: message } }]);
  });
}

/** A JSON body of the Open Inference Protocol. Throws RequestRefusedError. */
export function readProtocolJson(bytes: Buffer, pace: Pace): Promise<unknown> {
  return readJson(bytes, pace, ({ message, position }) => {
    const fault = `failed to parse the request JSON buffer: ${message} at ${position}`;
    return new RequestRefusedError(400, fault);
  });
}

async function readJson(
  bytes: Buffer,
  pace: Pace,
  refusal: (fault: JsonInvalidError) => Error,
): Promise<unknown> {
  try {
    return await parseJson(bytes, pace);
  } catch (error) {
    if (error instanceof JsonTooLargeError) throw new RequestRefusedError(413, error.message);
    throw error instanceof JsonInvalidError ? refusal(error) : error;
  }
}
