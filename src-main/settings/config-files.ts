import { access, constants } from 'node:fs/promises';
import type { Logger } from 'pino';
import { TlsFiles } from '../http/tls-files.ts';
import type { Config } from './config.ts';
import { configError } from './config-error.ts';

/**
 * Looks at the files that these settings name: with a wrong one the node would not start again, and its screens would be
 * gone with it.
 * @param paths the settings that are about to change
 * @throws CONFIG_INVALID
 */
export async function checkFiles(config: Config, paths: ReadonlySet<string>, log: Logger): Promise<void> {
  const { tlsCert: cert, tlsKey: key } = config;
  if (cert && key && (paths.has('tlsCert') || paths.has('tlsKey'))) await new TlsFiles({ cert, key }, log).read();
  if (!paths.has('models.catalogues')) return;
  for (const path of config.models.catalogues) {
    await access(path, constants.R_OK).catch(({ code }: NodeJS.ErrnoException) => {
      throw configError(`The catalogue ${path} cannot be read (${code}).`, 'Correct the path.', 'models.catalogues');
    });
  }
}
