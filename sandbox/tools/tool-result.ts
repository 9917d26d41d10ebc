import type { Compat, PictureType, ResultContent, TextContent } from '@steadyhand/contracts';
import type { ToolOutput } from './tool.ts';

export interface ToolResult {
  readonly is_error: boolean;
  readonly content: readonly ResultContent[] | string;
}

/**
 * Turns what a tool returned into the content of a `tool_result`.
 *
 * As in the reference, an error is a string, everything else is a list of text and image, and the tool's own messages
 * come before the text as `<system>...</system>`. `default` differs in two ways: output beside an error is kept, and
 * the tool's own message is shown when there is nothing else (the reference answers a restart with an empty list).
 */
export function toolResult(output: ToolOutput, compat: Compat): ToolResult {
  const result = compat === 'reference' ? referenceResult(output) : defaultResult(output);
  return output.notice === undefined ? result : withNotice(result, output.notice);
}

function defaultResult({ output, error, system, image, imageType }: ToolOutput): ToolResult {
  const said = filled([system === undefined ? undefined : `<system>${system}</system>`, output, error]);
  const text = said.join('\n');
  if (error !== undefined && image === undefined) return { is_error: true, content: text };
  return { is_error: error !== undefined, content: [...textBlock(text), ...imageBlock(image, imageType)] };
}

function referenceResult({ output, error, system, image }: ToolOutput): ToolResult {
  const prefix = system === undefined || system === '' ? '' : `<system>${system}</system>\n`;
  if (error !== undefined && error !== '') return { is_error: true, content: prefix + error };
  const text = output === undefined || output === '' ? [] : textBlock(prefix + output);
  return { is_error: false, content: [...text, ...imageBlock(image)] };
}

/** Puts a notice of the sandbox before a result. */
export function withNotice(result: ToolResult, notice: string): ToolResult {
  const text = `<system>${notice}</system>`;
  if (typeof result.content === 'string') return { ...result, content: `${text}\n${result.content}` };
  return { ...result, content: [{ type: 'text', text }, ...result.content] };
}

function filled(parts: readonly (string | undefined)[]): string[] {
  return parts.filter((part): part is string => part !== undefined && part !== '');
}

function textBlock(text: string): TextContent[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function imageBlock(image: Uint8Array | undefined, media_type: PictureType = 'image/png'): ResultContent[] {
  if (image === undefined) return [];
  const data = Buffer.from(image.buffer, image.byteOffset, image.byteLength).toString('base64');
  return [{ type: 'image', source: { type: 'base64', media_type, data } }];
}
