import type { ObjectStore } from '../../../store/contract/objects.ts';

/** The object store as a process has it that may be killed. */
export interface MortalObjects {
  readonly objects: ObjectStore;
  /** Kills the process at its next step with the object store, or its next `kind` of step: before it is done, or after. */
  killAt(moment: 'before' | 'after', kind?: keyof ObjectStore): void;
  /** Resolves when it is dead. */
  readonly dead: Promise<void>;
  readonly isDead: boolean;
}

/** A dead process does nothing any more and hears no answer, which is all that the others see of a kill. */
export function mortal(objects: ObjectStore): MortalObjects {
  let kill: { readonly moment: 'before' | 'after'; readonly kind: keyof ObjectStore | undefined } | undefined;
  let isDead = false;
  let die = (): void => undefined;
  const dead = new Promise<void>((resolve) => {
    die = () => {
      isDead = true;
      resolve();
    };
  });
  const never = new Promise<never>(() => undefined);

  const step = async <T>(kind: keyof ObjectStore, work: () => Promise<T>): Promise<T> => {
    const isMeant = (): boolean => kill !== undefined && (kill.kind ?? kind) === kind;
    if (isMeant() && kill?.moment === 'before') die();
    if (isDead) return never;
    const outcome = await work();
    if (isMeant() && kill?.moment === 'after') die();
    return isDead ? never : outcome;
  };

  return {
    objects: {
      ...objects,
      put: (...given) => step('put', () => objects.put(...given)),
      stage: (...given) => step('stage', () => objects.stage(...given)),
      get: (...given) => step('get', () => objects.get(...given)),
      stream: (...given) => step('stream', () => objects.stream(...given)),
      find: (...given) => step('find', () => objects.find(...given)),
      delete: (...given) => step('delete', () => objects.delete(...given)),
      removeUnfinished: (...given) => step('removeUnfinished', () => objects.removeUnfinished(...given)),
      async *list(...given) {
        for await (const page of objects.list(...given)) yield await step('list', async () => page);
      },
    },
    killAt(moment, kind) {
      kill = { moment, kind };
    },
    dead,
    get isDead() {
      return isDead;
    },
  };
}
