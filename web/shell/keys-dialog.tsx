import type { ReactElement } from 'react';
import { useStore } from '../client/store.ts';
import { CheckField } from '../parts/check-field.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { bindings, type KeyBinding, shownKeys, singleKeys } from '../parts/keys.ts';
import { closeOverlay } from './overlay.ts';

/** Lists the keys that do something now. */
export function KeysDialog(): ReactElement {
  const all = useStore(bindings);
  const choice = useStore(singleKeys);
  const newest = new Map(all.map((binding) => [binding.keys, binding]));
  const groups = grouped([...newest.values()]);
  return (
    <Dialog open title="Keyboard shortcuts" onClose={closeOverlay} wide>
      <div className="key-table">
        {groups.map(([group, members]) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <ul className="plain">
              {members.map(({ keys, label }) => (
                <li key={keys}>
                  {label}
                  <span className="keys">
                    {shownKeys(keys).map((name, index) => (
                      <kbd key={index}>{name}</kbd>
                    ))}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <CheckField
        label="Single keys do something"
        hint="Without it, only keys with Control or Command work."
        checked={choice === 'on'}
        onChange={(on) => singleKeys.set(on ? 'on' : 'off')}
      />
    </Dialog>
  );
}

function grouped(all: readonly KeyBinding[]): readonly (readonly [string, readonly KeyBinding[]])[] {
  const groups = new Map<string, KeyBinding[]>();
  for (const binding of all) groups.set(binding.group, [...(groups.get(binding.group) ?? []), binding]);
  return [...groups];
}
