import type { StoreHealth } from '@steadyhand/server';
import type { StorageState } from '@steadyhand/store';

/** The store's part of `/health`. */
export function storeHealth(state: StorageState, brokenSessions = 0): StoreHealth {
  return { status: state.status, reason: reasonOf(state), broken_sessions: brokenSessions };
}

function reasonOf(state: StorageState): string | null {
  switch (state.status) {
    case 'ok':
      return null;
    case 'full':
      return `the disk of ${state.folder} is full${state.free_bytes === null ? '' : `: ${state.free_bytes} bytes are free`}`;
    case 'unwritable':
      return `${state.folder} cannot be written: ${state.reason}`;
  }
}
