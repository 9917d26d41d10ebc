import type { Components } from '../components.ts';
import type { Paths } from '../document.ts';
import { described, jsonAnswer } from './operations.ts';
import { health } from './shapes.ts';

const TAG = 'Operations';

/** Routes for those who run the server. */
export function operationsPaths(components: Components): Paths {
  return {
    '/health': {
      get: described('health', '/health', 'get', {
        tag: TAG,
        description: 'Whether the server runs, and what with. Open without a key.',
        answer: jsonAnswer(components, health),
        open: true,
      }),
    },
    '/metrics': {
      get: described('metrics', '/metrics', 'get', {
        tag: TAG,
        description: 'Figures for Prometheus, in its text format.',
        answer: {
          description: 'Successful Response',
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      }),
    },
  };
}
