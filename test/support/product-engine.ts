import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EngineConnection } from '../../engine/connection/engine.ts';
import type { Product } from './product.ts';

/** How a Temporal client on this machine reaches a product's engine: its address is told, its token read from the folder. */
export async function engineOf(
  product: Product,
): Promise<{ readonly connection: EngineConnection; readonly namespace: string }> {
  const { engine } = (await (await fetch(`${product.url}/health`)).json()) as {
    engine: { address: string; namespace: string };
  };
  const { address, namespace } = engine;
  const file = path.join(product.dataDir, 'engine', 'token');
  if (!existsSync(file)) return { connection: { address }, namespace };
  return { connection: { address, apiKey: readFileSync(file, 'utf8').trim(), tls: false }, namespace };
}
