import { InvalidRequestError } from '@steadyhand/contracts';
import { ModelNotFoundError, type ProviderRegistry } from '@steadyhand/messages';

/** The part of the provider registry by which an agent's model is checked. */
export type ServedModels = Pick<ProviderRegistry, 'providerFor'>;

/**
 * Refuses a model that no provider serves, so that its agent is refused and not each of the agent's sessions.
 *
 * @param models without it nothing is checked
 * @param place the path before `model` in the body
 * @throws {InvalidRequestError} in the API's words for such a model, with what to configure where that is known
 */
export function requireServed(models: ServedModels | undefined, model: string, place = ''): void {
  try {
    models?.providerFor(model);
  } catch (error) {
    throw error instanceof ModelNotFoundError ? new InvalidRequestError(`${place}${error.message}`) : error;
  }
}
