import type { ModelRequest } from '../../messages/index.ts';

export const COMPUTER_USE = 'computer-use-2024-10-22';

/** The three provider-defined tools as a client lists them. */
export const TOOLS: ModelRequest['tools'] = [
  { type: 'computer_20241022', name: 'computer', display_width_px: 1024, display_height_px: 768 },
  { type: 'text_editor_20241022', name: 'str_replace_editor' },
  { type: 'bash_20241022', name: 'bash' },
];

export function userSays(content: string): { role: 'user'; content: string } {
  return { role: 'user', content };
}

export function modelRequest(change: Partial<ModelRequest>): ModelRequest {
  return {
    model: 'script',
    max_tokens: 4096,
    messages: [userSays('hello')],
    tools: TOOLS,
    betas: [COMPUTER_USE],
    ...change,
  };
}

/** A PNG's signature and header, filled up to `length` bytes: enough for all that reads only the header. */
export function png(width: number, height: number, length = 33): string {
  const bytes = Buffer.alloc(length);
  bytes.write('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR', 0, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}

/** A JPEG with an application segment before its frame. */
export function jpeg(width: number, height: number): string {
  const bytes = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080000000001011100', 'hex');
  bytes.writeUInt16BE(height, 25);
  bytes.writeUInt16BE(width, 27);
  return bytes.toString('base64');
}
