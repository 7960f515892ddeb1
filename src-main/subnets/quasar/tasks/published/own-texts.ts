import { join } from 'node:path';
import { installedPath } from '../../../../base/installation.ts';
import { sha256OfFile } from '../../../../base/sha256.ts';
import { ifMissing } from '../../../../base/swallowed.ts';

/** The folder of texts that come with Quarry, in the formats of the published files: everything can be tried without fetching anything. */
export const ownTexts = (): string => installedPath('resources', 'quasar', 'texts');

/** Whether a file is one of them, wherever it lies. */
export async function isOwnText(file: string, sha256: string): Promise<boolean> {
  return (await sha256OfFile(join(ownTexts(), file)).catch(ifMissing)) === sha256;
}
