/** The part of the npm package `@novnc/novnc` (a VNC client without types of its own) that the page uses. */
declare module '@novnc/novnc' {
  interface RfbOptions {
    readonly shared?: boolean;
    readonly wsProtocols?: readonly string[];
  }
  interface RfbEvents {
    readonly connect: CustomEvent;
    readonly disconnect: CustomEvent<{ readonly clean: boolean }>;
  }

  class RFB extends EventTarget {
    constructor(target: HTMLElement, url: string, options?: RfbOptions);
    viewOnly: boolean;
    focusOnClick: boolean;
    scaleViewport: boolean;
    background: string;
    qualityLevel: number;
    compressionLevel: number;
    focus(): void;
    blur(): void;
    disconnect(): void;
    addEventListener<T extends keyof RfbEvents>(type: T, listener: (event: RfbEvents[T]) => void): void;
  }
  export default RFB;
}
