import { Menu as Base } from '@base-ui/react/menu';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';

export interface MenuItem {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly tone?: 'danger';
  readonly disabled?: boolean;
  readonly run: () => void;
}

interface MenuProps {
  /** What the menu is about, e.g. `More about this workflow`. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** What opens it; three dots unless given. */
  readonly children?: ReactNode;
}

/** A button that opens a list of further things to do. */
export function Menu({ label, items, children }: MenuProps): ReactElement {
  const dots = children === undefined;
  return (
    <Base.Root modal={false}>
      <Base.Trigger
        className={dots ? 'button icon subtle' : 'button'}
        {...(dots ? { 'aria-label': label, title: label } : {})}
      >
        {dots ? <Ellipsis size={16} aria-hidden /> : children}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="floating">
          <Base.Popup className="menu">
            {items.map(({ label: name, icon: Icon, tone, disabled = false, run }) => (
              <Base.Item key={name} className={`menu-item ${tone ?? ''}`} disabled={disabled} onClick={run}>
                {Icon === undefined ? null : <Icon size={15} aria-hidden />}
                {name}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
