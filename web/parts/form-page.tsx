import { type FormEvent, type ReactElement, type ReactNode, useId, useRef } from 'react';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';
import type { Action } from './use-action.ts';

interface FormPageProps {
  readonly action: Action;
  /** The button that sends it, in the form's own verb. */
  readonly verb: string;
  /** Checks and sends; answers false where something is wrong, so that the first such field takes the focus. */
  readonly onSubmit: () => boolean;
  readonly children: ReactNode;
  /** Beside the button. */
  readonly beside?: ReactNode;
}

/** A form that takes a page, with its button at the end and what went wrong above it. */
export function FormPage({ action, verb, onSubmit, children, beside }: FormPageProps): ReactElement {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (onSubmit()) return;
    // The marks come with the next painting.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  return (
    <form ref={form} className="form-page" onSubmit={submit} noValidate>
      {children}
      <Problem text={action.problem} />
      <div className="buttons">
        <Button type="submit" tone="primary" busy={action.busy}>
          {verb}
        </Button>
        {beside}
      </div>
    </form>
  );
}

/** Fields that belong together. */
export function FormPart({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="card form-part">
      <h2 id={id}>{title}</h2>
      {hint === undefined ? null : <p className="hint">{hint}</p>}
      {children}
    </div>
  );
}
