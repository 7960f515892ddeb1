import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What was recorded of other programs lies beside the checkout, or where `QUARRY_VECTORS` says: it is not ours. */
const FOLDER = process.env.QUARRY_VECTORS || resolve(import.meta.dirname, '../../../shared/vectors');

/** Where a recorded file is; undefined, loudly, where it is not. */
export function findVector(name: string): string | undefined {
  const path = join(FOLDER, name);
  if (existsSync(path)) return path;
  process.stderr.write(`\n!!! skipped: ${name} is not in ${FOLDER}. QUARRY_VECTORS names another folder.\n\n`);
  return undefined;
}
