import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { dispatchQuery } from './dispatch.ts';

/** No workflow task is coming that could carry the waiting queries: each goes to a worker on its own. */
export function releaseQueries(kernel: Kernel, state: MutableState): void {
  const { ref } = state;
  kernel.group.afterCommit(() => {
    for (const query of kernel.queries.unbuffer(ref)) dispatchQuery(kernel, query);
  });
}
