/**
 * The environment in which programs find a layer's packages; `layer` is its path inside. The layer's programs come
 * first on PATH.
 */
export function layerEnvironment(layer: string): {
  readonly env: Readonly<Record<string, string>>;
  readonly path: string;
} {
  return {
    env: {
      PYTHONPATH: `${layer}/python`,
      NODE_PATH: `${layer}/npm/lib/node_modules`,
      GEM_PATH: `${layer}/gem:`,
    },
    path: ['python', 'npm', 'cargo', 'gem', 'go'].map((name) => `${layer}/${name}/bin`).join(':'),
  };
}
