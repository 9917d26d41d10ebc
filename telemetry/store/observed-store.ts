import type { Appended, Store } from '@steadyhand/store';
import type { StoreMetrics } from '../metrics/store-metrics.ts';

/** The operations that answer which events they have appended. */
const APPENDING: ReadonlySet<string> = new Set(['events.append', 'sessions.insert']);

/** The same store, with the time of its operations measured, as `events.append`. */
export function observedStore(store: Store, metrics: StoreMetrics): Store {
  const parts = new Map<string | symbol, unknown>();
  return new Proxy(store, {
    get(target, name) {
      const part: unknown = Reflect.get(target, name);
      if (typeof part !== 'object' || part === null) return part;
      const known = parts.get(name) ?? observedPart(part, String(name), metrics);
      parts.set(name, known);
      return known;
    },
  });
}

function observedPart(part: object, name: string, metrics: StoreMetrics): object {
  const methods = new Map<string | symbol, unknown>();
  return new Proxy(part, {
    get(target, method) {
      const work: unknown = Reflect.get(target, method);
      if (typeof work !== 'function') return work;
      const known = methods.get(method) ?? measured(target, work, `${name}.${String(method)}`, metrics);
      methods.set(method, known);
      return known;
    },
  });
}

/** The same method. What it answers is passed on as it is; only promises are waited for. */
function measured(
  target: object,
  work: Function,
  operation: string,
  metrics: StoreMetrics,
): (...given: unknown[]) => unknown {
  return (...given) => {
    const began = performance.now();
    const answer: unknown = Reflect.apply(work, target, given);
    if (answer instanceof Promise) {
      const ended = (outcome: 'ok' | 'failed'): void =>
        metrics.operation(operation, outcome, (performance.now() - began) / 1000);
      answer.then(
        (value) => {
          ended('ok');
          if (APPENDING.has(operation)) countEvents(value as Appended, metrics);
        },
        () => ended('failed'),
      );
    }
    return answer;
  };
}

function countEvents({ events, duplicate }: Appended, metrics: StoreMetrics): void {
  if (duplicate) return;
  for (const { type } of events) metrics.appended(type);
}
