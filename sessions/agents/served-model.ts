import { InvalidRequestError } from '@steadyhand/contracts';
import { ModelNotFoundError, type ProviderRegistry } from '@steadyhand/messages';

/** Who answers for which model, as far as an agent's model is to be checked. */
export type ServedModels = Pick<ProviderRegistry, 'providerFor'>;

/**
 * Refuses a model that nobody serves, so that whoever names it hears of it, and not each of the agent's sessions.
 *
 * @param models absent where the models are asked elsewhere: nothing is checked then
 * @param place of the name in the body, where that is not `model`
 * @throws {InvalidRequestError} in the API's words for such a model, with what to configure where that is known
 */
export function requireServed(models: ServedModels | undefined, model: string, place = ''): void {
  try {
    models?.providerFor(model);
  } catch (error) {
    throw error instanceof ModelNotFoundError ? new InvalidRequestError(`${place}${error.message}`) : error;
  }
}
