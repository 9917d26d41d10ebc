import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { NamespaceRegistry } from '../persistence/namespace-registry.ts';
import type { Limits } from '../primitives/limits.ts';

/** What starting and continuing runs takes. */
export interface RunServices {
  readonly runs: RunRegistry;
  readonly namespaces: NamespaceRegistry;
  readonly limits: Pick<Limits, 'continueAsNewSpacingMs' | 'defaultTaskTimeoutMs'>;
}
