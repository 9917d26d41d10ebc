import { ToolError } from '../tool.ts';
import { action, type ActionContext } from './actions.ts';
import { regionOf } from './arguments.ts';

/** The API refuses larger pictures in long conversations. */
const MAX_SIDE = 2000;

/** Shows a part of the screen. */
export const zoom = action(
  (name, input, { behaviour, definition, space }) => {
    if (
      behaviour.zoom === 'screen' &&
      definition.type === 'computer_20251124' &&
      definition.enable_zoom !== true
    )
      throw new ToolError(`${name} needs enable_zoom: true in the definition of the tool`);
    const [x0, y0, x1, y1] = regionOf(input);
    // This checks the bounds, too.
    const corners = [space.toScreen(x0, y0), space.toScreen(x1, y1)] as const;
    if (behaviour.zoom === 'screen' && (x1 <= x0 || y1 <= y0))
      throw new ToolError(`region=[${[x0, y0, x1, y1].join(', ')}] must have x1 above x0 and y1 above y0`);
    return { region: [x0, y0, x1, y1] as const, corners };
  },
  async ({ region, corners }, context) => ({
    image:
      context.behaviour.zoom === 'screen'
        ? await fromScreen(context, region)
        : await fromPicture(context, corners),
  }),
  () => null,
);

/** Captures all pixels of the screen that the region touches. */
async function fromScreen(
  { display, space }: ActionContext,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
): Promise<Uint8Array> {
  const screen = display.size;
  const across = screen.width / space.size.width;
  const down = screen.height / space.size.height;
  const x = Math.min(Math.floor(x0 * across), screen.width - 1);
  const y = Math.min(Math.floor(y0 * down), screen.height - 1);
  const width = Math.min(Math.ceil(x1 * across), screen.width) - x;
  const height = Math.min(Math.ceil(y1 * down), screen.height) - y;
  const shrink = Math.min(1, MAX_SIDE / Math.max(width, height));
  const scaleTo = { width: Math.round(width * shrink), height: Math.round(height * shrink) };
  return display.capture({ region: { x, y, width, height }, scaleTo });
}

/** Does what the reference does: it crops the scaled picture at the position that the screen's pixels would have. */
async function fromPicture(
  { display, space }: ActionContext,
  [from, to]: readonly [
    { readonly x: number; readonly y: number },
    { readonly x: number; readonly y: number },
  ],
): Promise<Uint8Array> {
  const { width, height } = space.size;
  const x = Math.min(from.x, width - 1);
  const y = Math.min(from.y, height - 1);
  const crop = {
    x,
    y,
    width: Math.max(1, Math.min(to.x, width) - x),
    height: Math.max(1, Math.min(to.y, height) - y),
  };
  return display.capture({ scaleTo: space.size, crop });
}
