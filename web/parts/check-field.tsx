import { type ReactElement, useId } from 'react';
import { describedBy, type FieldProps } from './field-frame.tsx';

interface CheckFieldProps extends Pick<FieldProps, 'label' | 'hint' | 'problem'> {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function CheckField({
  label,
  hint,
  problem,
  checked,
  disabled,
  onChange,
}: CheckFieldProps): ReactElement {
  const id = useId();
  return (
    <div className="field check">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={disabled}
        {...describedBy(id, { hint, problem })}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === undefined ? null : (
        <p className="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
