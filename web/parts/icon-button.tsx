import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button, type ButtonProps } from './button.tsx';

interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  readonly icon: LucideIcon;
  /** What it does, for screen readers and as a tooltip. */
  readonly label: string;
}

/** A button that shows a picture alone. */
export function IconButton({
  icon: Icon,
  label,
  tone = 'subtle',
  className,
  ...rest
}: IconButtonProps): ReactElement {
  return (
    <Button
      {...rest}
      tone={tone}
      className={['icon', className].filter(Boolean).join(' ')}
      aria-label={label}
      title={label}
    >
      <Icon size={16} aria-hidden />
    </Button>
  );
}
