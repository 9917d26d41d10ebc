/** Blocks and messages of the Messages API, for requests and for what is expected. */

/** A user's message. */
export const fromUser = <C>(content: C): { role: 'user'; content: C } => ({ role: 'user', content });

/** A model's message. */
export const fromModel = <C>(content: C): { role: 'assistant'; content: C } => ({
  role: 'assistant',
  content,
});

export const toolUse = <I>(
  id: string,
  name: string,
  input: I,
): { type: 'tool_use'; id: string; name: string; input: I } => ({ type: 'tool_use', id, name, input });

/** A result; `more` are further fields, such as `is_error`. */
export const toolResult = <C, M extends object = object>(
  tool_use_id: string,
  content: C,
  more?: M,
): { type: 'tool_result'; tool_use_id: string; content: C } & M =>
  ({ type: 'tool_result' as const, tool_use_id, content, ...more }) as {
    type: 'tool_result';
    tool_use_id: string;
    content: C;
  } & M;

/** A computer's tool for a display of this size. */
export const computerTool = <T extends string>(
  type: T,
  display_width_px: number,
  display_height_px: number,
): { type: T; name: 'computer'; display_width_px: number; display_height_px: number } => ({
  type,
  name: 'computer',
  display_width_px,
  display_height_px,
});
