import { useState } from 'react';
import { messageOf, RequestFailedError } from '../client/request.ts';
import { type FormState, useFormState } from './schema-form/form-state.ts';
import type { JsonSchema } from './schema-form/json-schema.ts';
import { type Action, useAction } from './use-action.ts';

/** A JSON body that a form makes. */
export type BodyValue = Readonly<Record<string, unknown>>;

export interface BodyForm {
  readonly form: FormState<BodyValue>;
  readonly action: Action;
  /** As fields, or as JSON. */
  readonly view: 'form' | 'json';
  readonly setView: (view: 'form' | 'json') => void;
  readonly setReadable: (readable: boolean) => void;
  /** Whether what was written as JSON is JSON. */
  readonly readable: boolean;
  /** Checks, sends, and shows a refusal at its place; false where the check finds something. */
  readonly submit: (send: (value: BodyValue) => Promise<void>) => boolean;
}

/** A form for a body of the API that can be written as JSON as well. */
export function useBodyForm(
  schema: JsonSchema,
  initial: () => BodyValue,
  words?: Readonly<Record<string, string>>,
): BodyForm {
  const form = useFormState<BodyValue>(schema, initial, words);
  const action = useAction();
  const [view, setView] = useState<'form' | 'json'>('form');
  const [readable, setReadable] = useState(true);
  const submit = (send: (value: BodyValue) => Promise<void>): boolean => {
    if (!readable || !form.check()) return false;
    action.run(async () => {
      try {
        await send(form.value);
      } catch (error) {
        const isRefused = error instanceof RequestFailedError && error.status === 400;
        if (!isRefused || !form.refuse(messageOf(error))) throw error;
        throw new Error('The server does not take it as it is: see what is marked.', { cause: error });
      }
    });
    return true;
  };
  return { form, action, view, setView, readable, setReadable, submit };
}
