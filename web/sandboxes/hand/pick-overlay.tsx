import type { MouseEvent, ReactElement } from 'react';
import { PlaceMark, type Size } from '../../sessions/tools/place-mark.tsx';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the form beside the screen has to say about places on it. */
export interface Aim {
  readonly to: Point | undefined;
  readonly from: Point | undefined;
  /** Takes the place of the next click; left out while clicks mean nothing. */
  readonly pick: ((point: Point) => void) | undefined;
}

interface PickOverlayProps {
  /** Of the pictures in whose pixels places are said. */
  readonly size: Size;
  readonly aim: Aim;
}

/** Marks the places of the form on the screen, and takes a click as one. With the keyboard the fields serve for it. */
export function PickOverlay({ size, aim: { to, from, pick } }: PickOverlayProps): ReactElement {
  const { width, height } = size;
  const click = (event: MouseEvent<SVGSVGElement>): void => {
    const matrix = event.currentTarget.getScreenCTM();
    if (matrix === null) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    pick?.({ x: Math.floor(x), y: Math.floor(y) });
  };
  return (
    <>
      {to === undefined ? null : <PlaceMark size={size} to={to} from={from} pending />}
      {to === undefined && from !== undefined ? <PlaceMark size={size} to={from} pending /> : null}
      {pick === undefined ? null : (
        <svg className="pick-overlay" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" onClick={click} />
      )}
    </>
  );
}
