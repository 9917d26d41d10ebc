/** Where and why the server refused a value. */
export interface ServerFault {
  /** A JSON pointer, e.g. `/tools/0/name`. */
  readonly place: string;
  readonly text: string;
}

/** `tools.0.input_schema.type: Field required`, as the API words what is wrong with a body. */
const PLACED = /^([A-Za-z_]\w*(?:\.[\w-]+)*): (.+)$/s;

/**
 * Takes a refusal apart.
 *
 * @param names the members that the form has; a refusal of anything else has no place in it
 */
export function serverFault(message: string, names: readonly string[]): ServerFault | undefined {
  const [, path = '', text = ''] = PLACED.exec(message) ?? [];
  const parts = path.split('.');
  if (text === '' || !names.includes(parts[0] ?? '')) return undefined;
  return { place: `/${parts.join('/')}`, text: /[.!?]$/.test(text) ? text : `${text}.` };
}
