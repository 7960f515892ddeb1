/**
 * Enters into package-lock.json what the archives hash to whose entries do not say: asks the registry for each. Those that
 * it does not have stay as they are, and are named. `test/unit/lock-file.test.ts` lists them, and says why there are any.
 * Usage: node scripts/complete-lock-file.ts
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FILE = resolve(import.meta.dirname, '../package-lock.json');

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
let open = 0;
for (const [path, entry] of Object.entries<{ version: string; integrity?: string }>(lock.packages)) {
  if (path === '' || entry.integrity) continue;
  const { version, ...rest } = entry;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = integrityOf(`${name}@${version}`);
  console.log(`${name}@${version}: ${integrity ?? 'not in the registry'}`);
  if (integrity) lock.packages[path] = { version, integrity, ...rest };
  else open++;
}
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
process.exitCode = open > 0 ? 1 : 0;

function integrityOf(spec: string): string | undefined {
  const options = { encoding: 'utf8', shell: process.platform === 'win32' } as const;
  const answer = spawnSync('npm', ['view', spec, 'dist.integrity'], options).stdout?.trim();
  return answer?.startsWith('sha512-') ? answer : undefined;
}
