import { rename } from 'node:fs/promises';
import { z } from 'zod';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { removeLeftovers, writeAtomically } from '../base/atomic-file.ts';
import { DATA, dataPath } from '../base/data-folder.ts';
import { configError } from '../base/setting.ts';

/** What was set in the app: JSON values by the path of their setting. */
export type AppSettings = ReadonlyMap<string, unknown>;

/** Far more than every setting together needs. */
const MAX_FILE_CHARS = 1_000_000;

const fileSchema = z.record(z.string(), z.unknown());

/** How a secret stands in the file: only the vault can read it. Of one for a server, `for` is that server’s origin. */
export const sealedSchema = z.strictObject({ sealed: z.string().max(16_384), for: z.string().max(4_096).optional() });

export function appSettingsPath(dataDir: string): string {
  return dataPath(dataDir, 'appSettings');
}

/** The same file as the last node that opened was started with: what to go back to when the next one cannot be opened. */
export function goodSettingsPath(dataDir: string): string {
  return dataPath(dataDir, 'goodSettings');
}

/** @returns undefined when the text is no such file */
export function parseAppSettings(text: string): AppSettings | undefined {
  if (text.length > MAX_FILE_CHARS) return undefined;
  try {
    return new Map(Object.entries(fileSchema.parse(JSON.parse(text))));
  } catch {
    return undefined; // it is no JSON, or not of this shape
  }
}

/**
 * A crash leaves the old settings or the new ones, whole.
 * @throws DISK_FULL; CONFIG_INVALID when it cannot be written
 */
export async function writeAppSettings(path: string, settings: AppSettings): Promise<void> {
  try {
    // It may hold secrets: nobody else may read it, not even for a moment.
    await writeAtomically(path, `${JSON.stringify(Object.fromEntries(settings), undefined, 2)}\n`, 0o600);
  } catch (error) {
    throw explained(error, path);
  }
}

/** Moves a file that cannot be read out of the way. @returns where it is now */
export async function setAside(dataDir: string): Promise<string> {
  const path = appSettingsPath(dataDir);
  await rename(path, `${path}.bad`);
  return `${path}.bad`;
}

/** Deletes what writes that were cut off have left. Only for the process that holds the data folder. */
export async function removeUnfinished(dataDir: string): Promise<void> {
  await removeLeftovers(
    dataDir,
    (file) => file.startsWith(`${DATA.appSettings.name}.`) || file.startsWith(`${DATA.goodSettings.name}.`),
  );
}

function explained(error: unknown, path: string): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const message = say('settings.noRoom', { path });
    return new QuarryError({ code: 'DISK_FULL', message, hint: say('settings.deleteSomething') });
  }
  return configError(say('settings.notWritten', { path, code: String(code) }), say('settings.checkPermissions'));
}
