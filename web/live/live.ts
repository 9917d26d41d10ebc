import RFB from '@novnc/novnc';

export interface LiveOptions {
  /** Of the WebSocket. */
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

/** What `live.js` gives: the VNC client is large, so it is loaded when somebody watches and not before. */
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
    // A line that the server has cut already is nothing to cut: the client would report an error.
    close: () => {
      if (!closed) rfb.disconnect();
    },
  };
}
