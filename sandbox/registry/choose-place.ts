import type { MachineState } from '../pool-machine/protocol.ts';

interface PlaceChoice {
  /** The machines that are there. */
  readonly machines: readonly MachineState[];
  /** The sandboxes of this installation that were given places, by machine. */
  readonly placed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly owner: string;
  /** Machines that have refused this sandbox. */
  readonly refused: ReadonlySet<string>;
  /** How many sandboxes are ahead in the line. */
  readonly ahead: number;
}

/** Chooses the machine with the most free places; null when those ahead in the line need them all. */
export function choosePlace({ machines, placed, owner, refused, ahead }: PlaceChoice): string | null {
  const free = machines
    .filter(({ member }) => !refused.has(member))
    .map((machine) => ({ machine, places: freePlaces(machine, placed.get(machine.member), owner) }))
    .filter(({ places }) => places > 0)
    .sort((a, b) => b.places - a.places);
  const places = free.reduce((sum, each) => sum + each.places, 0);
  return places > ahead ? (free[0]?.machine.member ?? null) : null;
}

/**
 * The free places of a machine. A sandbox of this installation counts once, whether the machine has reported it yet or
 * was only chosen for it.
 */
export function freePlaces(
  { capacity, draining, sandboxes }: MachineState,
  placed: ReadonlySet<string> = new Set(),
  owner: string,
): number {
  if (draining) return 0;
  const ours = new Set([...placed, ...sandboxes.filter((held) => held.owner === owner).map(({ id }) => id)]);
  const others = sandboxes.length - sandboxes.filter((held) => held.owner === owner).length;
  return Math.max(0, capacity - ours.size - others);
}
