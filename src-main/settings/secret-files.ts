import { resolve } from 'node:path';
import { say } from '../../src-preload/contract/saying.ts';
import { configError } from '../base/setting.ts';

/** Longer than any secret: whoever names another file by mistake is told so. */
const MAX_FILE_CHARS = 8_192;

/** Of the variable of a secret: the one that names a file with it, which is what containers and systemd give a service. */
export const fileVariable = (variable: string): string => `${variable}_FILE`;

export interface SecretFiles {
  env: NodeJS.ProcessEnv;
  /** Folder that relative paths start from. */
  cwd: string;
  /** A file's text; undefined where there is none. @throws CONFIG_INVALID for one that cannot be read */
  readFile: (path: string) => string | undefined;
}

/**
 * What stands in the file that `QUARRY_…_FILE` names: one line, whose end does not belong to it.
 * @param variable of the secret itself
 * @returns undefined where no file is named
 * @throws CONFIG_INVALID when it is not there, empty, or no single line: a service without the secret it was given would be open
 */
export function secretInFile(variable: string, { env, cwd, readFile }: SecretFiles): string | undefined {
  const name = fileVariable(variable);
  const named = env[name];
  if (!named) return undefined;
  const path = resolve(cwd, named);
  const text = readFile(path);
  if (text === undefined)
    throw configError(say('settings.noSecretFile', { name, path }), say('settings.correctSecretPath'));
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '' || secret.length > MAX_FILE_CHARS || /[\r\n]/.test(secret)) {
    throw configError(say('settings.notOneLine', { name, path }), say('settings.writeOneLine'));
  }
  return secret;
}
