/** The descriptions that this server gives of itself. */
export const INFERENCE_API = {
  name: 'inference',
  label: 'Inference',
  title: 'Steadyhand Inference Serving API',
  version: '1.0.0',
  url: '/openapi.json',
} as const;

export const AGENTS_API = {
  name: 'agents',
  label: 'Agents',
  title: 'Steadyhand Agent API',
  version: '1.0.0',
  url: '/v1/openapi.json',
} as const;
