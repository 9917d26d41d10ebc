import type { AnyEventObject, AnyStateMachine } from 'xstate';
import { decodeData } from './data.ts';
import { type EventSchema, type EventSchemas, machineSchemas } from './event-schemas.ts';

/** An event that no client may send, or one that does not fit its schema. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
}

const MAX_ISSUES = 5;
/** The one type of XState's own that is meant to be sent: it goes to a state that has a `route`. */
const ROUTE = 'xstate.route';

/**
 * Tells what a client may send to a machine: an object with a `type` of its own choosing that fits the schema of that type,
 * where there is one.
 */
export class EventDoor {
  readonly #schemas: EventSchemas;

  constructor(machine: AnyStateMachine, schemas: EventSchemas | undefined) {
    this.#schemas = schemas ?? machineSchemas(machine);
  }

  /**
   * @returns The event as its schema gives it back, with defaults and conversions.
   * @throws InvalidEventError with the field and what was expected.
   */
  admit(event: unknown): AnyEventObject {
    if (typeof event !== 'object' || event === null || Array.isArray(event)) {
      throw new InvalidEventError(`event: expected an object with a type, got ${kindOf(event)}`);
    }
    if (!('type' in event) || typeof event.type !== 'string' || event.type === '') {
      throw new InvalidEventError('event.type: expected a string that is not empty');
    }
    const { type } = event;
    if (type === '*') throw new InvalidEventError("event.type: '*' stands for every type and is none");
    if ((type.startsWith('xstate.') && type !== ROUTE) || type.startsWith('durable.')) {
      throw new InvalidEventError(`event.type: '${type}' is the machine's own`);
    }
    requireDecodable(event);
    const schema = Object.hasOwn(this.#schemas, type) ? this.#schemas[type] : undefined;
    return schema === undefined ? (event as AnyEventObject) : validated(schema, event as AnyEventObject);
  }
}

function validated(schema: EventSchema, event: AnyEventObject): AnyEventObject {
  const result: unknown = schema['~standard'].validate(decodeData(event));
  if (typeof result !== 'object' || result === null || 'then' in result) {
    throw new InvalidEventError(
      `event: the schema of '${event.type}' is asynchronous, which no workflow can wait for`,
    );
  }
  if ('issues' in result && Array.isArray(result.issues)) {
    const issues = (result.issues as Issue[]).slice(0, MAX_ISSUES).map(issueText);
    throw new InvalidEventError(issues.join('; '));
  }
  const value = 'value' in result ? result.value : undefined;
  if (typeof value !== 'object' || value === null) return event;
  // A schema of the payload alone may drop the type.
  return { ...value, type: event.type };
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
}

function issueText({ message, path = [] }: Issue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return `${['event', ...keys].join('.')}: ${message}`;
}

function requireDecodable(event: object): void {
  try {
    decodeData(event);
  } catch (error) {
    throw new InvalidEventError(
      `event: a value with $type is malformed (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
