import { isProofOf, proofOf } from '../../pool-token.ts';
import { isSandboxId } from '../../folders/sandbox-folders.ts';
import { isMachineId, MAX_SKEW_MS, type Registration } from '../../pool-machine/protocol.ts';
import { isRecordOf, isText } from '../../record-file.ts';

/** The sender does not know the token, the registration is old, or its body is invalid. */
export class RegistrationRefusedError extends Error {
  override readonly name = 'RegistrationRefusedError';
  /** Whether the proof was right. Only then the message is shown to the machine's administrator. */
  readonly proven: boolean;
  constructor(message: string, proven: boolean) {
    super(message);
    this.proven = proven;
  }
}

/** A registration as it was received; see `REGISTRATION_HEADERS`. */
export interface SignedRegistration {
  readonly time: string;
  readonly nonce: string;
  readonly proof: string;
  readonly body: string;
  /** The address that it came from. */
  readonly from: string;
}

export function readRegistration(signed: SignedRegistration, token: string, now: number): Registration {
  const { time, nonce, proof, body } = signed;
  if (!isProofOf(proof, token, ['registration', time, nonce, body]))
    throw new RegistrationRefusedError('the proof of the pool token is wrong', false);
  if (!(Math.abs(now - Number(time)) <= MAX_SKEW_MS))
    throw new RegistrationRefusedError(
      "the registration's time is not within five minutes of the server's",
      true,
    );
  const parsed = parse(body);
  if (parsed === null) throw new RegistrationRefusedError('the body is no registration', true);
  return parsed;
}

/** The proof in the server's answer that it knows the token too. */
export function answerOf({ nonce }: SignedRegistration, token: string, body: string): string {
  return proofOf(token, ['registered', nonce, body]);
}

function parse(body: string): Registration | null {
  try {
    const { member, capacity, sandboxes, draining, isolation, missing, address } = JSON.parse(
      body,
    ) as Registration;
    const right =
      isMachineId(member) &&
      Number.isInteger(capacity) &&
      capacity > 0 &&
      Array.isArray(sandboxes) &&
      (sandboxes as readonly unknown[]).every(isHeld) &&
      typeof draining === 'boolean' &&
      ['bubblewrap', 'container', 'none'].includes(isolation) &&
      Array.isArray(missing) &&
      (address.host === null || typeof address.host === 'string') &&
      Number.isInteger(address.port) &&
      address.port > 0 &&
      address.port < 65_536;
    return right ? { member, capacity, sandboxes, draining, isolation, missing, address } : null;
  } catch {
    return null;
  }
}

function isHeld(value: unknown): boolean {
  return isRecordOf(value, {
    id: (id) => typeof id === 'string' && isSandboxId(id),
    owner: isText,
    created_at: isText,
  });
}
