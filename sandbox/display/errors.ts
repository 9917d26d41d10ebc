/**
 * What went wrong with the display.
 * - `unreachable`: no X server answers on the socket.
 * - `lost`: the server went away during a request; the next call connects anew.
 * - `unsupported`: the server lacks an extension or the pixel format that this code needs.
 * - `refused`: the server answered a request with an X error.
 * - `closed`: used after `close()`.
 */
type DisplayErrorCode = 'unreachable' | 'lost' | 'unsupported' | 'refused' | 'closed';

/** A failure of the X display, never of the model's input. */
export class DisplayError extends Error {
  override readonly name = 'DisplayError';
  readonly code: DisplayErrorCode;
  constructor(code: DisplayErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
