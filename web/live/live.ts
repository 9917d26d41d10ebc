import RFB from '@novnc/novnc';

interface LiveOptions {
  /** The WebSocket's address. */
  readonly url: string;
  readonly protocols: readonly string[];
  /** Whether mouse and keyboard go to the screen. */
  readonly acts: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

export interface LiveConnection {
  focus(): void;
  close(): void;
}

/** What `live.js` exports. The VNC client is large, so it is loaded only when somebody watches. */
export interface LiveModule {
  readonly showScreen: (target: HTMLElement, options: LiveOptions) => LiveConnection;
}

/** Shows a screen inside `target`, scaled to its size. */
export function showScreen(target: HTMLElement, options: LiveOptions): LiveConnection {
  const { url, protocols, acts, onOpen, onClose } = options;
  const rfb = new RFB(target, url, { shared: true, wsProtocols: protocols });
  rfb.viewOnly = !acts;
  rfb.focusOnClick = acts;
  rfb.scaleViewport = true;
  rfb.background = 'transparent';
  rfb.addEventListener('connect', onOpen);
  let closed = false;
  rfb.addEventListener('disconnect', () => {
    closed = true;
    onClose();
  });
  return {
    focus: () => rfb.focus(),
    // The client reports an error when a connection is closed that the server has closed already.
    close: () => {
      if (!closed) rfb.disconnect();
    },
  };
}
