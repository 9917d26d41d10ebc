/** Arguments as a form takes them: a JSON array, or nothing for none. */
export function argumentsOf(text: string): { readonly args: unknown[] } | { readonly fault: string } {
  if (text.trim() === '') return { args: [] };
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value)
      ? { args: value }
      : { fault: 'Expected a list in square brackets, with one entry for each argument.' };
  } catch (error) {
    return { fault: `This is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
