import { RequestInvalidError, RequestRefusedError } from './errors.ts';
import { JsonInvalidError, JsonTooLargeError, parseJson } from './json-reader.ts';
import type { Pace } from './pacing.ts';

/** A JSON body of a route with FastAPI's shapes. Throws RequestInvalidError, or RequestRefusedError (413). */
export async function readJsonBody(bytes: Buffer, pace: Pace): Promise<unknown> {
  try {
    return await parseJson(bytes, pace);
  } catch (error) {
    if (error instanceof JsonTooLargeError) throw new RequestRefusedError(413, error.message);
    if (!(error instanceof JsonInvalidError)) throw error;
    throw new RequestInvalidError([
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

/** A JSON body of the Open Inference Protocol. Throws RequestRefusedError. */
export async function readProtocolJson(bytes: Buffer, pace: Pace): Promise<unknown> {
  try {
    return await parseJson(bytes, pace);
  } catch (error) {
    if (error instanceof JsonTooLargeError) throw new RequestRefusedError(413, error.message);
    if (!(error instanceof JsonInvalidError)) throw error;
    throw new RequestRefusedError(
      400,
      `failed to parse the request JSON buffer: ${error.message} at ${error.position}`,
    );
  }
}
