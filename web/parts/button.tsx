import type { ButtonHTMLAttributes, ReactElement, Ref } from 'react';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` for the one thing to do here, `danger` for what cannot be undone, `subtle` beside other things. */
  readonly tone?: 'primary' | 'danger' | 'subtle' | undefined;
  readonly size?: 'small' | undefined;
  /** Work is under way: the button cannot be pressed, and says so. */
  readonly busy?: boolean | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button; unlike HTML's it sends no form unless its `type` says so. */
export function Button({
  tone,
  size,
  busy = false,
  className,
  disabled,
  ...rest
}: ButtonProps): ReactElement {
  const classes = ['button', tone, size, className].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      {...rest}
      className={classes}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    />
  );
}
