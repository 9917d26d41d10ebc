import type { Kernel } from '../kernel.ts';

/** The worker behind a sticky queue leaves: what waits there goes to the normal queues of the runs at once. */
export function rerouteStickyTasks(kernel: Kernel, namespace: string, stickyQueue: string): void {
  for (const task of kernel.matching.shutDownSticky(namespace, stickyQueue)) task.reroute?.();
}
