/** A command line that cannot be understood. The message is one line. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}
