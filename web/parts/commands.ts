import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { createStore } from '../client/store.ts';

/** Something that the command palette does. */
export interface Command {
  /** Unique among all commands. */
  readonly id: string;
  readonly name: string;
  /** Under which heading it stands, e.g. `Sessions`. */
  readonly group: string;
  readonly icon?: LucideIcon;
  /** Further words by which it is found. */
  readonly words?: string;
  /** Keys that do the same, e.g. `g s`. */
  readonly keys?: string;
  /** Goes to this address, or does something. */
  readonly run: string | (() => void);
}

/** What the command palette offers because of the page that is shown. */
export const pageCommands = createStore<readonly Command[]>([]);

/** Offers commands in the palette while the caller is on the page, e.g. to cancel the workflow that is shown. */
export function useCommands(given: readonly Command[]): void {
  const newest = useRef(given);
  newest.current = given;
  const signature = given.map(({ id, name, group }) => `${id}\n${name}\n${group}`).join('\n\n');
  useEffect(() => {
    const own = newest.current.map((command, index) => ({
      ...command,
      run:
        typeof command.run === 'string'
          ? command.run
          : () => {
              const run = newest.current[index]?.run;
              if (typeof run === 'function') run();
            },
    }));
    pageCommands.set([...own, ...pageCommands.get()]);
    return () => pageCommands.set(pageCommands.get().filter((command) => !own.includes(command)));
  }, [signature]);
}
