import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useState } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

/** A row of filters above a list. */
export function FilterBar({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="filter-bar" role="search" aria-label={label}>
      {children}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly {
    readonly value: T;
    readonly label: string;
    readonly count?: number | undefined;
  }[];
  readonly onChange: (value: T) => void;
}

/** One of a few, shown side by side, with how many there are of each. */
export function FilterChoice<T extends string>({
  label,
  value,
  options,
  onChange,
}: ChoiceProps<T>): ReactElement {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="hidden"
          />
          {option.label}
          {option.count === undefined ? null : <span className="count figures">{option.count}</span>}
        </label>
      ))}
    </fieldset>
  );
}

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  /** Called on Enter and when the field is left. */
  readonly onSubmit: (value: string) => void;
  readonly problem?: string | undefined;
}

/** The field that `/` leads to. What is typed counts once it is entered. */
export function FilterSearch({ label, value, placeholder, onSubmit, problem }: SearchProps): ReactElement {
  const id = useId();
  const [draft, setDraft] = useState({ of: value, text: value });
  // Another value from outside (the address) takes the place of what was typed.
  const text = draft.of === value ? draft.text : value;
  const submit = (): void => {
    if (text === value) return;
    // It is no draft any more: who goes back finds the field as it was then.
    setDraft({ of: text, text });
    onSubmit(text);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') submit();
    if (event.key === 'Escape') setDraft({ of: value, text: value });
  };
  return (
    <div className="filter-search">
      <input
        type="search"
        data-filter
        aria-label={label}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? undefined : id}
        placeholder={placeholder}
        spellCheck={false}
        value={text}
        onChange={(event) => setDraft({ of: value, text: event.target.value })}
        onKeyDown={onKey}
        onBlur={submit}
      />
      {problem === undefined ? null : (
        <p className="field-problem" id={id}>
          {problem}
        </p>
      )}
    </div>
  );
}

interface ChipProps {
  /** What is filtered by, e.g. `Type`. */
  readonly name: string;
  readonly children: ReactNode;
  readonly onRemove: () => void;
}

/** A filter that is set, with a button that takes it away. */
export function FilterChip({ name, children, onRemove }: ChipProps): ReactElement {
  return (
    <span className="chip">
      <span className="quiet">{name}</span>
      {children}
      <IconButton icon={X} label={`Remove the filter ${name}`} size="small" onClick={onRemove} />
    </span>
  );
}

/** Adds a further filter. */
export function FilterAdd({
  onAdd,
  label = 'Filter',
}: {
  readonly onAdd: () => void;
  readonly label?: string;
}): ReactElement {
  return (
    <Button size="small" tone="subtle" onClick={onAdd}>
      <Plus size={14} aria-hidden />
      {label}
    </Button>
  );
}
