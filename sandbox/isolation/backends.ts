import type { SandboxConfig } from '../config.ts';
import type { SandboxLayout } from '../layout.ts';
import { type IsolationBackend, IsolationError } from './backend.ts';
import { bubblewrap } from './bubblewrap.ts';
import { insideContainer } from './inside-container.ts';
import { noIsolation } from './none.ts';

/** Returns the backend that isolates a sandbox's guest. */
export function backendOf({ isolation }: SandboxConfig, layout: SandboxLayout): IsolationBackend {
  switch (isolation) {
    case 'none':
      return noIsolation(layout);
    case 'bubblewrap':
      return bubblewrap;
    case 'container':
      return insideContainer;
    case 'remote':
      throw new IsolationError('remote', 'its daemon is on another machine');
  }
}
