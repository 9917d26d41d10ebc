import { Plus, X } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

interface PairsFieldProps {
  /** What the pairs are, e.g. `Metadata`. */
  readonly label: string;
  readonly value: Readonly<Record<string, string>>;
  readonly onChange: (value: Readonly<Record<string, string>>) => void;
  readonly problem?: string | undefined;
}

/** Names with values. A row without a name does not count; of two with the same name the later one does. */
export function PairsField({ label, value, onChange, problem }: PairsFieldProps): ReactElement {
  const [rows, setRows] = useState<readonly (readonly [string, string])[]>(() => Object.entries(value));
  const change = (next: readonly (readonly [string, string])[]): void => {
    setRows(next);
    onChange(Object.fromEntries(next.filter(([name]) => name !== '')));
  };
  const replace = (index: number, row: readonly [string, string]): void =>
    change(rows.map((old, at) => (at === index ? row : old)));
  return (
    <div className="pairs" role="group" aria-label={label}>
      {rows.map(([name, text], index) => (
        <div className="pair" key={index}>
          <input
            aria-label={`${label}: name ${index + 1}`}
            placeholder="Name"
            value={name}
            onChange={(event) => replace(index, [event.target.value, text])}
          />
          <input
            aria-label={`${label}: value ${index + 1}`}
            placeholder="Value"
            value={text}
            onChange={(event) => replace(index, [name, event.target.value])}
          />
          <IconButton
            icon={X}
            label={`Remove ${name === '' ? `row ${index + 1}` : name}`}
            onClick={() => change(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button size="small" onClick={() => change([...rows, ['', '']])}>
          <Plus size={14} aria-hidden />
          Add
        </Button>
      </div>
      {problem === undefined ? null : <p className="field-problem">{problem}</p>}
    </div>
  );
}
