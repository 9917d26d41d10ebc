import type { ReactElement, ReactNode } from 'react';

export interface FieldProps {
  readonly label: string;
  /** Below the field: what it is for, or an example. */
  readonly hint?: ReactNode;
  /** What is wrong with the value, in place. */
  readonly problem?: string | undefined;
  readonly required?: boolean | undefined;
  /** The label is for screen readers alone, because the place says what the field is. */
  readonly hideLabel?: boolean | undefined;
}

interface FrameProps extends FieldProps {
  readonly id: string;
  readonly children: ReactNode;
}

/** A label, a field and what is to be said of it. The field takes the attributes of `describedBy`. */
export function FieldFrame({
  id,
  label,
  hint,
  problem,
  required,
  hideLabel,
  children,
}: FrameProps): ReactElement {
  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel === true ? 'hidden' : undefined}>
        {label}
        {required === true ? <span className="quiet"> (needed)</span> : null}
      </label>
      {children}
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

/** The attributes by which a field says what belongs to it. */
export function describedBy(id: string, { hint, problem }: Pick<FieldProps, 'hint' | 'problem'>): object {
  const ids = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`];
  const text = ids.filter(Boolean).join(' ');
  return {
    'aria-describedby': text === '' ? undefined : text,
    'aria-invalid': problem === undefined ? undefined : true,
  };
}
