import { RequestInvalid } from './errors.ts';
import { RequestRefused } from '../body/request-refused.ts';
import { JsonInvalid, JsonTooLarge, parseJson } from '../body/json-reader.ts';
import type { Pace } from '../body/pacing.ts';

/** A JSON body of a route with FastAPI's shapes. Throws RequestInvalid, or RequestRefused (413). */
export async function readJsonBody(bytes: Buffer, pace: Pace): Promise<unknown> {
  try {
    return await parseJson(bytes, pace);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new RequestRefused(413, error.message);
    if (!(error instanceof JsonInvalid)) throw error;
    throw new RequestInvalid([
      {
        type: 'json_invalid',
        loc: ['body', error.position],
        msg: 'JSON decode error',
        input: {},
        ctx: { error: error.message },
      },
    ]);
  }
}

/** A JSON body of the Open Inference Protocol. Throws RequestRefused. */
export async function readProtocolJson(bytes: Buffer, pace: Pace): Promise<unknown> {
  try {
    return await parseJson(bytes, pace);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new RequestRefused(413, error.message);
    if (!(error instanceof JsonInvalid)) throw error;
    throw new RequestRefused(
      400,
      `failed to parse the request JSON buffer: ${error.message} at ${error.position}`,
    );
  }
}
