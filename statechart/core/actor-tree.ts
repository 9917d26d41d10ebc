import type { AnyActorRef, Snapshot } from 'xstate';

/** Whether a value is a reference to an XState actor. */
export const isActorRef = (value: object): value is AnyActorRef =>
  'sessionId' in value &&
  'send' in value &&
  typeof value.send === 'function' &&
  'getSnapshot' in value &&
  typeof value.getSnapshot === 'function';

/** The children of an actor by id; none for an actor that is no machine. */
export function childrenOf(actor: AnyActorRef): Readonly<Record<string, AnyActorRef | undefined>> {
  const snapshot = actor.getSnapshot() as Snapshot<unknown> & {
    readonly children?: Readonly<Record<string, AnyActorRef | undefined>>;
  };
  return snapshot.children ?? {};
}

/** The actor at a path below `root`; undefined when there is none. */
export function actorAt(root: AnyActorRef, path: readonly string[]): AnyActorRef | undefined {
  let actor: AnyActorRef | undefined = root;
  for (const id of path) actor = actor === undefined ? undefined : childrenOf(actor)[id];
  return actor;
}

/** The path from `root` to one of its actors; undefined when it is not (or no longer) among them. */
export function pathTo(root: AnyActorRef, sought: AnyActorRef): readonly string[] | undefined {
  if (root === sought) return [];
  const children = childrenOf(root);
  // Most often the actor stands under its own id, and there may be thousands.
  if (children[sought.id] === sought) return [sought.id];
  for (const [id, child] of Object.entries(children)) {
    const below = child === undefined ? undefined : pathTo(child, sought);
    if (below !== undefined) return [id, ...below];
  }
  return undefined;
}
