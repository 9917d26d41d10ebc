import { assertProperty, fc } from '../../support/fast-check.ts';
import { moveCursorText, moveInput } from '../../../messages/context/coordinates.ts';
import { fittedSize, type Size } from '../../../messages/models/image-limits.ts';

const screens = fc
  .record({ width: fc.integer({ min: 200, max: 8000 }), height: fc.integer({ min: 200, max: 8000 }) })
  .map((client) => ({ client, model: fittedSize(client, { long_edge: 1568, tokens: 1568 }) }));

const pixelOf = ({ width, height }: Size): fc.Arbitrary<number[]> =>
  fc.tuple(fc.integer({ min: 0, max: width - 1 }), fc.integer({ min: 0, max: height - 1 }));

const pointOf = (input: unknown): number[] => (input as { coordinate: number[] }).coordinate;

it("a model's point comes back as it was said, and lies on the client's screen", () => {
  assertProperty(
    100,
    screens.chain((spaces) => fc.tuple(fc.constant(spaces), pixelOf(spaces.model))),
    ([{ client, model }, coordinate]) => {
      const there = moveInput({ action: 'left_click', coordinate }, model, client);
      const [x = -1, y = -1] = pointOf(there);
      expect(x >= 0 && x < client.width && y >= 0 && y < client.height).toBe(true);
      expect(moveInput(there, client, model)).toEqual({ action: 'left_click', coordinate });
    },
  );
});

it("a client's point is off by half a pixel of the model's space at most, there and back", () => {
  assertProperty(
    100,
    screens.chain((spaces) => fc.tuple(fc.constant(spaces), pixelOf(spaces.client))),
    ([{ client, model }, coordinate]) => {
      const there = moveInput({ coordinate }, client, model);
      const back = pointOf(moveInput(there, model, client));
      const [x = -1, y = -1] = pointOf(there);
      expect(x >= 0 && x < model.width && y >= 0 && y < model.height).toBe(true);
      const pixel = [client.width / model.width, client.height / model.height];
      for (const axis of [0, 1]) {
        const off = Math.abs((back[axis] ?? NaN) - (coordinate[axis] ?? NaN));
        // The middle of a client's pixel is half of it away from its corner.
        expect(off).toBeLessThanOrEqual((pixel[axis] ?? NaN) / 2 + 0.5);
      }
    },
  );
});

it("a model's region comes back as it was said, and the whole screen is the whole screen", () => {
  assertProperty(
    100,
    screens.chain((spaces) => fc.tuple(fc.constant(spaces), pixelOf(spaces.model), pixelOf(spaces.model))),
    ([{ client, model }, one, other]) => {
      const region = [...one, ...other];
      expect(moveInput(moveInput({ region }, model, client), client, model)).toEqual({ region });
      const whole = [0, 0, model.width, model.height];
      expect(moveInput({ region: whole }, model, client)).toEqual({
        region: [0, 0, client.width, client.height],
      });
    },
  );
});

const SMALL = { width: 100, height: 100 };
const LARGE = { width: 400, height: 300 };

it('moves every field that is a place, and nothing else', () => {
  const input = {
    action: 'left_click_drag',
    coordinate: [10, 10],
    start_coordinate: [99, 99],
    text: '10,10',
    scroll_amount: 10,
  };
  expect(moveInput(input, SMALL, LARGE)).toEqual({
    ...input,
    coordinate: [42, 31],
    start_coordinate: [398, 298],
  });
});

it.each([
  [{ coordinate: '[10, 10]' }],
  [{ coordinate: [10] }],
  [{ coordinate: [10, '10'] }],
  [{ coordinate: [1, 2, 3] }],
  [{ region: [1, 2] }],
  [{ region: null }],
  [{}],
  ['text'],
  [null],
  [[1, 2]],
])('leaves %j to the tool, which says what is wrong with it', (input) => {
  expect(moveInput(input, SMALL, LARGE)).toEqual(input);
});

it("moves the pointer's place in a tool's answer, with its own spacing", () => {
  expect(moveCursorText('X=40,Y=30', LARGE, SMALL)).toBe('X=10,Y=10');
  expect(moveCursorText('X=40, Y=30', LARGE, SMALL)).toBe('X=10, Y=10');
  expect(moveCursorText('nothing', LARGE, SMALL)).toBe('nothing');
});
