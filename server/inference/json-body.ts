import { JsonInvalid, JsonTooLarge, parseJson } from '../body/json-reader.ts';
import type { Pace } from '../body/pacing.ts';
import { RequestRefused } from '../body/request-refused.ts';
import { RequestInvalid } from './errors.ts';

/** A JSON body of a route with FastAPI's shapes. Throws RequestInvalid, or RequestRefused (413). */
export function readJsonBody(bytes: Buffer, pace: Pace): Promise<unknown> {
  return readJson(bytes, pace, ({ message, position }) => {
    const told = { type: 'json_invalid', loc: ['body', position], msg: 'JSON decode error', input: {} };
    return new RequestInvalid([{ ...told, ctx: { error: message } }]);
  });
}

/** A JSON body of the Open Inference Protocol. Throws RequestRefused. */
export function readProtocolJson(bytes: Buffer, pace: Pace): Promise<unknown> {
  return readJson(bytes, pace, ({ message, position }) => {
    const told = `failed to parse the request JSON buffer: ${message} at ${position}`;
    return new RequestRefused(400, told);
  });
}

async function readJson(bytes: Buffer, pace: Pace, refusal: (fault: JsonInvalid) => Error): Promise<unknown> {
  try {
    return await parseJson(bytes, pace);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new RequestRefused(413, error.message);
    throw error instanceof JsonInvalid ? refusal(error) : error;
  }
}
