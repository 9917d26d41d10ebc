import type { ActionOutcome, DisplaySize, ToolDefinition } from '@steadyhand/contracts';
import type { Sandboxes } from '../../sandbox/client/sandboxes.ts';

const PROGRAMS = [
  // A screen that keeps changing a little, as real ones do.
  'xterm -geometry 70x18+40+60 -e sh -c "while sleep 0.5; do date +%T.%N; done"',
  'xterm -geometry 60x12+420+330',
  'mousepad --disable-server /usr/share/common-licenses/GPL-3',
  'pcmanfm --no-desktop /usr/share',
];

/** A menu, text, a title bar, terminals, a folder: what opens, closes, comes to the front or is selected by a click. */
const PLACES = [
  [20, 296],
  [300, 600],
  [250, 70],
  [600, 450],
  [200, 150],
  [870, 400],
  [60, 296],
  [700, 620],
] as const;

/** One sandbox with a few programs on its screen, and the steps that are timed on it. */
export class Desktop {
  readonly #sandboxes: Sandboxes;
  readonly #id: string;
  readonly #size: DisplaySize;
  #keys = 0;

  private constructor(sandboxes: Sandboxes, id: string, size: DisplaySize) {
    this.#sandboxes = sandboxes;
    this.#id = id;
    this.#size = size;
  }

  static async open(sandboxes: Sandboxes, size: DisplaySize): Promise<Desktop> {
    const { id } = await sandboxes.create({ display: size });
    const desktop = new Desktop(sandboxes, id, size);
    for (const program of PROGRAMS) await desktop.#bash(`${program} >/dev/null 2>&1 &`);
    await desktop.#bash(
      'for i in $(seq 100); do [ $(xdotool search --onlyvisible --name . | wc -l) -ge 4 ] && break; sleep 0.1; done; sleep 2',
    );
    return desktop;
  }

  screenshot(): Promise<Uint8Array> {
    return this.#sandboxes.screenshot(this.#id);
  }

  /** Clicks all over the screen: menus open and close, windows come to the front, text is selected. */
  async clicks(n: number): Promise<number[]> {
    return this.#times(n, async (i) => {
      await this.#computer({ action: 'mouse_move', coordinate: this.#place(i) });
      return () => this.#computer({ action: 'left_click' });
    });
  }

  /** The same clicks as the reference makes them: a shell with xdotool, a pause, scrot and convert. */
  async referenceClicks(n: number): Promise<number[]> {
    const { width, height } = this.#size;
    return this.#times(n, async (i) => {
      await this.#computer({ action: 'mouse_move', coordinate: this.#place(i) });
      const shot = `/tmp/reference-${i}.png`;
      return () =>
        this.#bash(
          `xdotool click 1; sleep 2; scrot -p ${shot} && convert ${shot} -resize ${width}x${height}! ${shot} && base64 ${shot} | wc -c`,
        );
    });
  }

  moves(n: number): Promise<number[]> {
    return this.#times(n, (i) => () => this.#computer({ action: 'mouse_move', coordinate: this.#place(i) }));
  }

  async keys(n: number): Promise<number[]> {
    return this.#times(n, () => () => this.#computer({ action: 'key', text: 'Down' }));
  }

  async typings(n: number): Promise<number[]> {
    await this.#computer({ action: 'mouse_move', coordinate: [500, 450] });
    await this.#computer({ action: 'left_click' });
    const text = 'The quick brown fox jumps over the lazy dog, twice!';
    return this.#times(n, () => () => this.#computer({ action: 'type', text: text.slice(0, 50) }));
  }

  screenshots(n: number): Promise<number[]> {
    return this.#times(n, () => () => this.#computer({ action: 'screenshot' }));
  }

  async close(): Promise<void> {
    await this.#sandboxes.delete(this.#id);
  }

  #place(i: number): readonly [number, number] {
    return PLACES[i % PLACES.length] ?? [0, 0];
  }

  /** Milliseconds of each step; what is prepared before a step is not counted. */
  async #times(
    n: number,
    prepare: (i: number) => Promise<() => Promise<void>> | (() => Promise<void>),
  ): Promise<number[]> {
    const times: number[] = [];
    for (let i = 0; i < n; i++) {
      const step = await prepare(i);
      const started = performance.now();
      await step();
      times.push(performance.now() - started);
    }
    return times;
  }

  async #computer(input: Record<string, unknown>): Promise<void> {
    const { width: display_width_px, height: display_height_px } = this.#size;
    await this.#perform(
      { type: 'computer_20241022', name: 'computer', display_width_px, display_height_px },
      input,
    );
  }

  async #bash(command: string): Promise<void> {
    await this.#perform({ type: 'bash_20241022', name: 'bash' }, { command });
  }

  async #perform(tool: ToolDefinition, input: unknown): Promise<void> {
    const outcome: ActionOutcome = await this.#sandboxes.perform(this.#id, {
      key: `bench-${this.#keys++}`,
      tool,
      input,
    });
    if (outcome.status !== 'done' || outcome.is_error)
      throw new Error(`${JSON.stringify(input)}: ${JSON.stringify(outcome).slice(0, 500)}`);
  }
}
