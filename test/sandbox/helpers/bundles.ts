import { join } from 'node:path';
import { buildTargets } from '../../support/built.ts';

const DIST = join(__dirname, '../../../dist');

export interface Bundles {
  readonly daemonEntry: string;
  readonly guestEntry: string;
  readonly memberEntry: string;
}

/** The programs of a sandbox as production runs them, built from the sources of now. */
export function builtSandbox(): Bundles {
  buildTargets(['sandbox daemon', 'sandbox guest', 'sandbox member']);
  return {
    daemonEntry: join(DIST, 'sandbox-daemon.mjs'),
    guestEntry: join(DIST, 'sandbox-guest.cjs'),
    memberEntry: join(DIST, 'sandbox-member.mjs'),
  };
}
