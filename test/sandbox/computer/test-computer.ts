import sharp from 'sharp';
import type { Compat, DisplaySize, ToolDefinition } from '@steadyhand/contracts';
import { openDisplay, type Display } from '../../../sandbox/display/display.ts';
import { createComputerTool } from '../../../sandbox/tools/computer/computer-tool.ts';
import type { ToolOutput } from '../../../sandbox/tools/tool.ts';
import { openClickTarget, type ClickTarget } from '../display/click-target.ts';
import { localGuest } from '../display/local-guest.ts';
import { startXvfb, type Xvfb } from '../display/xvfb.ts';

/** A computer tool on a screen of its own, over a program that reports every input. */
export interface TestComputer {
  readonly display: Display;
  readonly target: ClickTarget;
  readonly run: (
    compat: Compat,
    input: unknown,
    definition?: Partial<ToolDefinition>,
    signal?: AbortSignal,
  ) => Promise<ToolOutput>;
  close(): Promise<void>;
}

export async function openComputer(size: DisplaySize): Promise<TestComputer> {
  const xvfb: Xvfb = await startXvfb(size);
  const display = await openDisplay({ socketPath: xvfb.socketPath, size, guest: localGuest(xvfb.env) });
  const target = await openClickTarget(xvfb.socketPath);
  return {
    display,
    target,
    run: async (compat, input, definition, signal = new AbortController().signal) => {
      const output = await createComputerTool({ display, compat }).run(input, {
        definition: { type: 'computer_20241022', name: 'computer', ...definition },
        signal,
      });
      await target.sync();
      return output;
    },
    close: async () => {
      target.close();
      display.close();
      await xvfb.kill();
    },
  };
}

export async function pictureSize(output: ToolOutput): Promise<DisplaySize> {
  const { width, height, format } = await sharp(output.image).metadata();
  expect(format).toBe('png');
  return { width, height };
}
