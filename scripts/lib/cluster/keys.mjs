import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * The secrets of a cluster, made once and kept in its folder, readable by its owner alone.
 * @param {string} dir
 */
export function clusterKeys(dir) {
  const file = path.join(dir, 'keys.json');
  const random = () => randomBytes(24).toString('hex');
  const fresh = {
    apiKey: `sk-${random()}`,
    secretsKey: randomBytes(32).toString('hex'),
    poolToken: random(),
    database: random(),
    s3Access: 'steadyhand',
    s3Secret: random(),
  };
  if (!fs.existsSync(file)) fs.writeFileSync(file, JSON.stringify(fresh, null, 2), { mode: 0o600 });
  return /** @type {typeof fresh} */ (JSON.parse(fs.readFileSync(file, 'utf8')));
}
