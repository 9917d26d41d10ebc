import {
  choosePlace,
  type KnownMachine,
  LINE_SILENCE_MS,
  type SandboxConfig,
  type SandboxRegistry,
} from '@steadyhand/sandbox/client';
import type { JsonObject, SandboxMachine, SandboxRecords } from '@steadyhand/store';

/** The store's records of sandboxes as the registry that the pool uses; the store keeps JSON without knowing what it says. */
export function storeRegistry(records: SandboxRecords, installation: string): SandboxRegistry {
  return {
    owner: async () => installation,
    add: (config) => records.add(config.id, toJson(config)),
    async find(id) {
      const row = await records.find(id);
      return row === undefined ? null : { ...row, config: fromJson<SandboxConfig>(row.config) };
    },
    has: async (id) => (await records.find(id)) !== undefined,
    placement: async (id) => (await records.find(id))?.placement ?? null,
    ids: () => records.ids(),
    markDeleted: (id) => records.markDeleted(id),
    remove: (id) => records.remove(id),
    noteDamage: (id, reason) => records.noteDamage(id, reason),
    markLost: (id, { number }, reason) => records.markLost(id, number, reason),
    markInterrupted: (id, key) => records.markInterrupted(id, key),
    isInterrupted: (id, key) => records.isInterrupted(id, key),
    follow: async (id, before, { machine, held }) =>
      (await records.place(id, before?.number ?? 0, { machine, held })) ?? null,
    takePlace: ({ sandbox, before, refused, awayMs }) =>
      records.takePlace({
        sandbox,
        before: before?.number ?? 0,
        awayMs,
        lineSilenceMs: LINE_SILENCE_MS,
        choose: (machines, placed, ahead) =>
          choosePlace({
            machines: machines.map((state) => fromJson<KnownMachine>(state)),
            placed,
            owner: installation,
            refused,
            ahead,
          }),
      }),
    leaveLine: (sandbox) => records.leaveLine(sandbox),
    waiting: () => records.waiting(LINE_SILENCE_MS),
    lost: () => records.lost(),
    putMachine: (machine) => records.putMachine(machine.member, toJson(machine)),
    async machine(member) {
      const found = await records.machine(member);
      return found === undefined ? null : toMachine(found);
    },
    machines: async () => (await records.machines()).map(toMachine),
    removeMachine: (member) => records.removeMachine(member),
  };
}

function toMachine({ state, seen, silentMs }: SandboxMachine): KnownMachine {
  return { ...fromJson<Omit<KnownMachine, 'seen' | 'silentMs'>>(state), seen, silentMs };
}

/** What the registry was given is JSON already. */
function toJson(value: object): JsonObject {
  return value as JsonObject;
}

/** The store gives back what it was given. */
function fromJson<T>(value: JsonObject): T {
  return value as unknown as T;
}
