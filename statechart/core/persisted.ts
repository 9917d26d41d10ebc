import type { AnyActorRef, Snapshot } from 'xstate';
import { childrenOf } from './actor-tree.ts';
import { decodeData, encodeData, type ReferenceCodec } from './data.ts';

/** XState's persisted form of an actor, as far as this module reads it. */
interface Persisted {
  readonly status: string;
  readonly context?: unknown;
  readonly children?: Readonly<Record<string, PersistedChild>>;
  readonly [key: string]: unknown;
}

interface PersistedChild {
  readonly snapshot: Persisted;
  readonly src: unknown;
  /** The parent is sent every snapshot of the child. */
  readonly syncSnapshot?: boolean;
}

/**
 * How much of an actor its persisted form holds: `whole`; `restarts` when a promise, callback or observable below it would begin
 * anew; `partly` when it has spawned an inline source, which has no name to be found by.
 */
export type Persistence = 'whole' | 'restarts' | 'partly';

export function persistenceOf(actor: AnyActorRef): Persistence {
  if (childrenIn(actor).some(([, child]) => typeof child.src !== 'string')) return 'partly';
  if ((actor.getSnapshot() as Persisted).children === undefined) {
    return restartsAlone(actor.getPersistedSnapshot() as unknown as Persisted) ? 'restarts' : 'whole';
  }
  const below = childrenIn(actor).map(([, child]) => persistenceOf(child));
  if (below.includes('partly')) return 'partly';
  return below.includes('restarts') ? 'restarts' : 'whole';
}

/** The persisted snapshot of an actor and all below it as JSON; null when it would hold the actor but partly. */
export function persistActor(
  actor: AnyActorRef,
  references: ReferenceCodec,
  watched: ReadonlySet<AnyActorRef> = new Set(),
): unknown {
  const children = childrenIn(actor);
  if (children.some(([, child]) => typeof child.src !== 'string')) return null;
  const own = actor.getPersistedSnapshot() as unknown as Persisted;
  if (own.children === undefined) return encodeData(own, actor.id, references);
  const { children: persisted, context: _, ...rest } = own;
  return {
    ...(encodeData(rest, actor.id, references) as object),
    // XState's own form of a context keeps references to this machine's children alone, and no Date.
    context: encodeData((actor.getSnapshot() as Persisted).context, 'context', references),
    children: Object.fromEntries(
      children.map(([id, child]) => [
        id,
        {
          ...persisted[id],
          snapshot: persistActor(child, references, watched),
          ...(watched.has(child) ? { syncSnapshot: true } : {}),
        },
      ]),
    ),
  };
}

/**
 * Undoes {@link persistActor}, and takes what XState itself has persisted, too. References are assigned when
 * `references.decode` does so.
 *
 * A revived child would send its parent the snapshot that it had before, once more: it is revived as one that sends none, and
 * {@link watchRevived} goes on with the next.
 */
export function reviveActor(persisted: unknown, references: ReferenceCodec): Snapshot<unknown> {
  const { children, ...rest } = persisted as Persisted;
  const revived = decodeData(rest, references) as Snapshot<unknown>;
  if (children === undefined) return revived;
  return {
    ...revived,
    children: Object.fromEntries(
      Object.entries(children).map(([id, child]) => [
        id,
        { ...child, syncSnapshot: false, snapshot: reviveActor(child.snapshot, references) },
      ]),
    ),
  } as unknown as Snapshot<unknown>;
}

/** Sends the parents the snapshots of their revived children from now on, and answers those children. */
export function watchRevived(actor: AnyActorRef, persisted: unknown): AnyActorRef[] {
  return Object.entries((persisted as Persisted).children ?? {}).flatMap(
    ([id, { syncSnapshot = false, snapshot }]) => {
      const child = childrenOf(actor)[id];
      if (child === undefined) return [];
      const below = watchRevived(child, snapshot);
      if (!syncSnapshot) return below;
      child.subscribe({
        next: (next: Snapshot<unknown>) => {
          if (next.status === 'active') actor.send({ type: `xstate.snapshot.${child.id}`, snapshot: next });
        },
        // What fails is told by an event of its own.
        error: () => undefined,
      });
      return [child, ...below];
    },
  );
}

const childrenIn = (actor: AnyActorRef): [string, AnyActorRef][] =>
  Object.entries(childrenOf(actor)).filter((entry): entry is [string, AnyActorRef] => entry[1] !== undefined);

/** A promise, callback or observable that runs in the process has an input and no form of its own progress. */
const restartsAlone = (own: Persisted): boolean =>
  own.status === 'active' && 'input' in own && own['durable'] === undefined;
