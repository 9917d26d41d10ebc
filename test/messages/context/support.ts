import sharp from 'sharp';
import type { MessageParam, ToolParam } from '../../../messages/index.ts';

/** A real PNG of one colour, cheap at any size. */
export async function picture(width: number, height: number, color = '#336699'): Promise<string> {
  const made = sharp({ create: { width, height, channels: 3, background: color } });
  return (await made.png().toBuffer()).toString('base64');
}

export function image(data: string): {
  type: 'image';
  source: { type: 'base64'; media_type: 'image/png'; data: string };
} {
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
}

export function computer(width: number, height: number): ToolParam {
  return { type: 'computer_20241022', name: 'computer', display_width_px: width, display_height_px: height };
}

/** One turn of a loop: the model acts, the client answers. */
export function step(id: string, input: object, content: unknown, more: object = {}): MessageParam[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'computer', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
  ] as MessageParam[];
}
