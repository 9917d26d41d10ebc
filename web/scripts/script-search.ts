/** With which demo's script the editor begins. */
export interface ScriptSearch {
  readonly demo?: string | undefined;
}

export function scriptSearch({ demo }: Record<string, unknown>): ScriptSearch {
  return typeof demo === 'string' ? { demo } : {};
}
