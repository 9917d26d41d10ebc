import { CancellationScope } from '@temporalio/workflow';

const DONE = Promise.resolve();

/**
 * A scope that makes no promises of its own around what runs in it. Temporal's sandbox takes down a stack for each promise, which
 * is most of what a step costs.
 */
export class BareScope extends CancellationScope {
  protected override runInContext<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  /** Does something that waits for nothing as a part of this scope. */
  within(work: () => void): void {
    void this.run(() => {
      work();
      return DONE;
    });
  }
}
