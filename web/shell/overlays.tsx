import type { ReactElement } from 'react';
import { KeysDialog } from './keys-dialog.tsx';
import { NavigationDialog } from './navigation-dialog.tsx';
import type { Overlay } from './overlay.ts';
import { Palette } from './palette.tsx';

/** What lies over the page. It is loaded when the first of these is opened. */
export function Overlays({ open }: { readonly open: Overlay }): ReactElement | null {
  switch (open) {
    case 'palette':
      return <Palette />;
    case 'keys':
      return <KeysDialog />;
    case 'navigation':
      return <NavigationDialog />;
    case 'none':
      return null;
  }
}
