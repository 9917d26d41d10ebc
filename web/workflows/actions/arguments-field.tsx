import type { ReactElement } from 'react';
import { TextAreaField } from '../../parts/fields.tsx';

interface ArgumentsFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: string | undefined;
}

export function ArgumentsField({ value, onChange, problem }: ArgumentsFieldProps): ReactElement {
  return (
    <TextAreaField
      label="Arguments"
      code
      rows={3}
      value={value}
      onChange={onChange}
      problem={problem}
      hint={
        <>
          A JSON list with one entry for each argument, e.g. <code>[12, &quot;apples&quot;]</code>. Leave it
          empty for none.
        </>
      }
    />
  );
}
