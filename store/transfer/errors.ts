/** What was asked for would lose or mix what is there, so that nothing was done. The message is one line. */
export class TransferRefusedError extends Error {
  override readonly name = 'TransferRefusedError';
}

/** What was copied is not what is at its source. */
export class TransferFailedError extends Error {
  override readonly name = 'TransferFailedError';
}
