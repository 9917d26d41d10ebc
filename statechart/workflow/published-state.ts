import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { HELD_STATE, type Held, type MachineState } from '../core/messages.ts';
import { activePaths } from '../core/state-path.ts';
import type { CarriedRun, MachineStart, StateAttributes } from './machine-start.ts';

/** Where Temporal's own tools find a machine's state: the current details and the search attributes. */
export class PublishedState {
  readonly #names: StateAttributes;
  #state: string | undefined;
  #tags: readonly string[];

  constructor({ attributes = {}, stateAttribute, carried }: MachineStart) {
    this.#names = { ...attributes, ...(stateAttribute === undefined ? {} : { state: stateAttribute }) };
    this.#state = carried?.published;
    this.#tags = carried?.publishedTags ?? [];
  }

  show({ state, tags }: MachineState): void {
    const { state: stateName, states: statesName, tags: tagsName } = this.#names;
    const lists: Record<string, string[]> = {};
    if (state !== this.#state) {
      this.#state = state;
      setCurrentDetails(state);
      if (stateName !== undefined) upsertSearchAttributes({ [stateName]: [state] });
      if (statesName !== undefined) lists[statesName] = activePaths(state);
    }
    if (tagsName !== undefined && tags.join('\n') !== this.#tags.join('\n')) {
      this.#tags = tags;
      lists[tagsName] = [...tags];
    }
    if (Object.keys(lists).length > 0) upsertSearchAttributes(lists);
  }

  showHeld({ reason }: Held): void {
    if (this.#state === reason) return;
    this.#state = reason;
    setCurrentDetails(reason);
    const { state, states } = this.#names;
    if (state !== undefined) upsertSearchAttributes({ [state]: [HELD_STATE] });
    if (states !== undefined) upsertSearchAttributes({ [states]: [HELD_STATE] });
  }

  carry(): Pick<CarriedRun, 'published' | 'publishedTags'> {
    return {
      ...(this.#state === undefined ? {} : { published: this.#state }),
      ...(this.#tags.length === 0 ? {} : { publishedTags: this.#tags }),
    };
  }
}
