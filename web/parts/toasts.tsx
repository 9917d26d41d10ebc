import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useStore } from '../client/store.ts';
import { IconButton } from './icon-button.tsx';
import { closeToast, toasts } from './toast.ts';

/** Where toasts are shown. It is on the page once. */
export function Toasts(): ReactElement {
  const shown = useStore(toasts);
  return (
    <div className="toasts" role="status" aria-label="Notifications">
      {shown.map(({ id, tone, text }) => {
        const Icon = tone === 'alarm' ? TriangleAlert : CircleCheck;
        return (
          <div key={id} className={`toast ${tone}`} role={tone === 'alarm' ? 'alert' : undefined}>
            <Icon size={16} aria-hidden />
            <span className="text">{text}</span>
            <IconButton icon={X} label="Close" size="small" onClick={() => closeToast(id)} />
          </div>
        );
      })}
    </div>
  );
}
