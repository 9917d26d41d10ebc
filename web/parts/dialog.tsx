import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** At the bottom: buttons, the primary one last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** Without a visible title and frame, for content that has its own. */
  readonly bare?: boolean;
  readonly className?: string;
}

/** A window over the page that holds the focus until it is closed, by Escape, a click beside it or its buttons. */
export function Dialog({
  open,
  title,
  onClose,
  children,
  actions,
  wide,
  bare,
  className,
}: DialogProps): ReactElement {
  const classes = ['dialog', wide === true ? 'wide' : '', className ?? ''].join(' ');
  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Viewport className="dialog-place">
          <Base.Popup className={classes}>
            {bare === true ? (
              <>
                <Base.Title className="hidden">{title}</Base.Title>
                {children}
              </>
            ) : (
              <>
                <div className="dialog-top">
                  <Base.Title>{title}</Base.Title>
                  <Base.Close className="button icon subtle" aria-label="Close">
                    <X size={16} aria-hidden />
                  </Base.Close>
                </div>
                <div className="dialog-body">{children}</div>
                {actions === undefined ? null : <div className="dialog-actions">{actions}</div>}
              </>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
