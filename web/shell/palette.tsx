import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactElement, useId, useState } from 'react';
import type { Command } from '../parts/commands.ts';
import { Dialog } from '../parts/dialog.tsx';
import { shownKeys } from '../parts/keys.ts';
import { closeOverlay } from './overlay.ts';
import { useFoundCommands } from './palette-commands.ts';

/** Finds rooms, things and commands by a few letters, without the mouse. */
export function Palette(): ReactElement {
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { found, searching } = useFoundCommands(text);
  const at = Math.min(chosen, found.length - 1);

  const perform = (command: Command | undefined): void => {
    if (command === undefined) return;
    closeOverlay();
    if (typeof command.run === 'string') void navigate({ to: command.run });
    else command.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined) setChosen(Math.max(0, Math.min(found.length - 1, at + step)));
    else if (event.key === 'Enter') perform(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog open bare title="Search and commands" className="palette" onClose={closeOverlay}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${at}`}
        aria-label="Search and commands"
        placeholder="Search sessions, go somewhere, do something"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <div role="listbox" id={`${id}-list`} aria-label="Found" tabIndex={-1}>
        {found.map((command, index) => (
          <Found
            key={command.id}
            id={`${id}-${index}`}
            command={command}
            heading={command.group === found[index - 1]?.group ? undefined : command.group}
            chosen={index === at}
            onPoint={() => setChosen(index)}
            onRun={() => perform(command)}
          />
        ))}
        {found.length === 0 ? (
          <div role="option" aria-selected="false" aria-disabled="true" className="none">
            {searching ? 'Searching…' : 'Nothing is called so.'}
          </div>
        ) : null}
      </div>
      <p className="hints">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> go
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
      </p>
    </Dialog>
  );
}

interface FoundProps {
  readonly id: string;
  readonly command: Command;
  readonly heading: string | undefined;
  readonly chosen: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

function Found({ id, command, heading, chosen, onPoint, onRun }: FoundProps): ReactElement {
  const { icon: Icon, name, keys } = command;
  return (
    <>
      {heading === undefined ? null : (
        <div role="presentation" className="group">
          {heading}
        </div>
      )}
      <div
        role="option"
        id={id}
        aria-selected={chosen}
        ref={(element) => (chosen ? element?.scrollIntoView({ block: 'nearest' }) : undefined)}
        onMouseMove={onPoint}
        onClick={onRun}
      >
        {Icon === undefined ? null : <Icon size={16} aria-hidden />}
        <span className="name">{name}</span>
        {keys === undefined ? null : (
          <span className="keys">
            {shownKeys(keys).map((key, index) => (
              <kbd key={index}>{key}</kbd>
            ))}
          </span>
        )}
      </div>
    </>
  );
}
