/** The packages of an environment could not be installed; the next use tries again. */
export class PackagesError extends Error {
  override readonly name = 'PackagesError';
  constructor(reason: string, options?: ErrorOptions) {
    super(`The packages of this environment could not be installed: ${reason}`, options);
  }
}
