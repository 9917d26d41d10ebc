import type { ReactElement } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { RoomLinks, SidebarEnd } from './navigation.tsx';
import { closeOverlay } from './overlay.ts';

/** The navigation on a phone. */
export function NavigationDialog(): ReactElement {
  return (
    <Dialog open title="Menu" onClose={closeOverlay}>
      <RoomLinks onFollow={closeOverlay} />
      <SidebarEnd />
    </Dialog>
  );
}
