import type { MachineSource } from '@steadyhand/statechart/client';

/** Gives the state machines that are known here, by the types of their workflows. */
export type LoadMachines = () => Promise<Readonly<Record<string, MachineSource>>>;

/** The machines, loaded when somebody first asks. */
export class Machines {
  readonly #load: LoadMachines;
  #loaded: Promise<Readonly<Record<string, MachineSource>>> | undefined;

  constructor(load: LoadMachines) {
    this.#load = load;
  }

  async of(workflowType: string): Promise<MachineSource | undefined> {
    const known = await this.#all();
    return Object.hasOwn(known, workflowType) ? known[workflowType] : undefined;
  }

  async types(): Promise<string[]> {
    return Object.keys(await this.#all()).toSorted();
  }

  #all(): Promise<Readonly<Record<string, MachineSource>>> {
    this.#loaded ??= this.#load().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }
}
