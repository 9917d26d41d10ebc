/** What the test programs use of `x11` beyond what the product does. */
import 'x11';

declare module 'x11' {
  export interface XClient {
    MapWindow(window: number): void;
    ResizeWindow(window: number, width: number, height: number): void;
    SetInputFocus(window: number, revertTo: number): void;
    CreateGC(id: number, drawable: number, values: { readonly foreground?: number }): void;
    ChangeGC(id: number, values: { readonly foreground?: number }): void;
    PolyFillRectangle(drawable: number, gc: number, rectangles: readonly number[]): void;
  }
  export interface XEvent {
    readonly x?: number;
    readonly y?: number;
    readonly rootx?: number;
    readonly rooty?: number;
    readonly keycode?: number;
    readonly buttons?: number;
  }
}
