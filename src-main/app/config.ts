import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkGiven, checkTogether } from './config-check.ts';
import { configError } from './config-error.ts';
import { fromEnvironment, fromFile, fromFlags, type Given, type SettingFlags } from './config-layers.ts';
import { type Config, configSchema } from './config-schema.ts';
import { place, TABLES } from './config-settings.ts';

export type { Config } from './config-schema.ts';

export interface ConfigSources {
  /** What the command line gave; `configFile` is the file to read. */
  flags?: SettingFlags & { configFile?: string | undefined };
  env?: NodeJS.ProcessEnv;
  /** Folder that relative paths of options and variables start from. Default: the current one. */
  cwd?: string;
  /** A file's text; undefined when there is no such file. */
  readFile?: (path: string) => string | undefined;
}

/**
 * The configuration: defaults, then the file, the environment and the command line, each over the one before.
 *
 * The file is the one that `--config` or QUARRY_CONFIG names, else `quarry.toml` in the data folder if it is there.
 *
 * @throws CONFIG_INVALID with origin and setting: an unknown key, a wrong type, settings that contradict each other
 */
export function loadConfig(sources: ConfigSources = {}): Config {
  const { flags = {}, env = {}, cwd = process.cwd(), readFile = readTextFile } = sources;
  const above = [...fromEnvironment(env, cwd), ...fromFlags(flags, cwd)].map(checkGiven);
  const file = readConfigFile(flags.configFile ?? (env.QUARRY_CONFIG || undefined), above, cwd, readFile);
  const config = configSchema.parse(nest([...file.map(checkGiven), ...above]));
  checkTogether(config);
  return config;
}

function readConfigFile(
  named: string | undefined,
  above: Given[],
  cwd: string,
  readFile: (path: string) => string | undefined,
): Given[] {
  const path = named === undefined ? join(dataDirOf(above), 'quarry.toml') : resolve(cwd, named);
  const text = readFile(path);
  if (text !== undefined) return fromFile(text, path);
  if (named === undefined) return [];
  throw configError(`There is no configuration file ${path}.`, 'Correct --config (or QUARRY_CONFIG), or leave it out.');
}

/** The data folder as far as it is known before the file is read. */
function dataDirOf(given: Given[]): string {
  return configSchema.shape.dataDir.parse(given.findLast(({ setting }) => setting.path === 'dataDir')?.value);
}

/** A nested object with every table present, so that each setting finds its default; later values win. */
function nest(given: Given[]): object {
  const root = {};
  for (const table of TABLES) place(root, table, {});
  for (const { setting, value } of given) place(root, setting.path, value);
  return root;
}

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw configError(`The configuration file ${path} cannot be read (${code}).`, 'Correct its permissions.');
  }
}
