import { type InputHTMLAttributes, type ReactElement, type SelectHTMLAttributes, useId } from 'react';
import { describedBy, FieldFrame, type FieldProps } from './field-frame.tsx';

type TextFieldProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'id'> & {
    readonly value: string;
    readonly onChange: (value: string) => void;
  };

export function TextField({
  label,
  hint,
  problem,
  required,
  hideLabel,
  onChange,
  ...rest
}: TextFieldProps): ReactElement {
  const id = useId();
  return (
    <FieldFrame {...{ id, label, hint, problem, required, hideLabel }}>
      <input
        {...rest}
        {...describedBy(id, { hint, problem })}
        id={id}
        aria-required={required}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  );
}

type TextAreaProps = FieldProps & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly code?: boolean;
};

export function TextAreaField({
  value,
  onChange,
  rows = 4,
  placeholder,
  code,
  ...field
}: TextAreaProps): ReactElement {
  const id = useId();
  return (
    <FieldFrame {...field} id={id}>
      <textarea
        {...describedBy(id, field)}
        id={id}
        rows={rows}
        value={value}
        placeholder={placeholder}
        className={code === true ? 'mono' : undefined}
        spellCheck={code !== true}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  );
}

type SelectFieldProps<T extends string> = FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value' | 'id'> & {
    readonly value: T;
    readonly options: readonly { readonly value: T; readonly label: string; readonly disabled?: boolean }[];
    readonly onChange: (value: T) => void;
  };

/** The browser's own select: it works on phones and with every screen reader. */
export function SelectField<T extends string>(props: SelectFieldProps<T>): ReactElement {
  const id = useId();
  const { label, hint, problem, required, hideLabel, options, value, onChange, ...rest } = props;
  return (
    <FieldFrame {...{ id, label, hint, problem, required, hideLabel }}>
      <select
        {...rest}
        {...describedBy(id, { hint, problem })}
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value as T)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
