import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, sentence } from '../../src-preload/contract/saying.ts';
import { dataPath } from '../base/data-folder.ts';
import { configError, type Elsewhere } from '../base/setting.ts';
import { type AppLayer, fromApp, secretText, unsealAll } from './app-layer.ts';
import { type AppSettings, appSettingsPath, goodSettingsPath, parseAppSettings } from './app-settings.ts';
import { checkGiven, contradiction } from './config-check.ts';
import { fromEnvironment, fromFile, fromFlags, type Given, type SettingFlags, secretsInToml } from './config-layers.ts';
import { type Config, configSchema, type SettingPath } from './config-schema.ts';
import { appliesAtOnce, frozen, place, SETTINGS, TABLES } from './config-settings.ts';
import { fromElsewhere } from './elsewhere-layer.ts';
import { type WithheldSecret, withheldSecrets, withheldWords } from './secret-origins.ts';
import type { SecretVault } from './secret-vault.ts';
import { plainText } from './secret-vault.ts';

export type { Config, FixedConfig } from './config-schema.ts';

export interface ConfigSources {
  /** What the command line gave; `configFile` is the file to read. */
  flags?: SettingFlags & { configFile?: string | undefined };
  env?: NodeJS.ProcessEnv;
  /** Folder that relative paths of options and variables start from. Default: the current one. */
  cwd?: string;
  /** A file's text; undefined when there is no such file. */
  readFile?: (path: string) => string | undefined;
}

/** What the layers but the app’s give. */
export interface Layers {
  dataDir: string;
  file: Given[];
  /** Environment and command line. */
  above: Given[];
  /** Where other programs have their settings. */
  world: Omit<Elsewhere, 'own'>;
}

/** A configuration, and how it came about. */
export interface LoadedConfig {
  config: Config;
  /** Who gave each setting; one that has its default is not in it. */
  origins: ReadonlyMap<string, Given>;
  /** Secrets that are set, but not in the configuration: they were set for another server. */
  withheld: WithheldSecret[];
  /** Why something that other programs have set is left out. */
  notTaken: QuarryError[];
  /** What had to be left out, and what is withheld, a sentence each. */
  warnings: string[];
}

/**
 * The configuration: defaults, then what other programs have set, the file, what was set in the app, the environment and
 * the command line, each over the one before.
 *
 * The file is the one that `--config` or QUARRY_CONFIG names, else `quarry.toml` in the data folder if it is there.
 * Secrets that the desktop app has sealed are not in it: only a node opens them, see {@link loadNodeConfig}.
 *
 * @throws CONFIG_INVALID with origin and setting: an unknown key, a wrong type, settings that contradict each other
 */
export function loadConfig(sources: ConfigSources = {}): Config {
  const layers = readLayers(sources);
  const settings = readAppSettings(layers.dataDir, sources) ?? new Map();
  return settle(layers, fromApp(settings, appSettingsPath(layers.dataDir), plainText)).config;
}

/** The same with the secrets of the vault: for a node that is about to open. @throws CONFIG_INVALID */
export async function loadNodeConfig(sources: ConfigSources, vault: SecretVault): Promise<Config> {
  const layers = readLayers(sources);
  const settings = readAppSettings(layers.dataDir, sources) ?? new Map();
  return settle(layers, await openAppLayer(layers.dataDir, settings, vault)).config;
}

/**
 * What to go back to when a node cannot be opened with what is set in the app: what takes effect at a start is as the last
 * node that opened had it, the rest as it is set now.
 * @returns undefined when that is nothing else, or nobody knows
 * @throws CONFIG_INVALID
 */
export async function loadGoodConfig(sources: ConfigSources, vault: SecretVault): Promise<Config | undefined> {
  const layers = readLayers(sources);
  const set = readAppSettings(layers.dataDir, sources) ?? new Map();
  const good = readGoodSettings(layers.dataDir, sources);
  if (!good) return undefined;
  const settings = new Map([
    ...[...set].filter(([path]) => appliesAtOnce(path)),
    ...[...good].filter(([path]) => !appliesAtOnce(path)),
  ]);
  if (isDeepStrictEqual(settings, new Map(set))) return undefined;
  return settle(layers, await openAppLayer(layers.dataDir, settings, vault)).config;
}

/** What was set in the app, with its secrets, as far as the vault can open them. */
export async function openAppLayer(dataDir: string, settings: AppSettings, vault: SecretVault): Promise<AppLayer> {
  return fromApp(settings, appSettingsPath(dataDir), await unsealAll(settings, vault));
}

/** @throws CONFIG_INVALID for what the file, the environment or the command line say */
export function readLayers(sources: ConfigSources): Layers {
  const above = aboveFile(sources);
  const file = readConfigFile(above, sources).map(checkGiven);
  const { env = {}, cwd = process.cwd(), readFile = readTextFile } = sources;
  return { dataDir: dataDirOf([...file, ...above]), file, above, world: { env, cwd, readFile } };
}

/** Whether somebody has set this, wherever: it does not merely have its default. @throws CONFIG_INVALID */
export function isGiven(path: SettingPath, sources: ConfigSources): boolean {
  return loadUnsealed(sources).origins.has(path);
}

/** The secrets that are withheld. It needs no vault: a secret’s server is known without reading it. @throws CONFIG_INVALID */
export function readWithheld(sources: ConfigSources): WithheldSecret[] {
  return loadUnsealed(sources).withheld;
}

/** Why something that other programs have set is left out. @throws CONFIG_INVALID */
export function readNotTaken(sources: ConfigSources): QuarryError[] {
  return loadUnsealed(sources).notTaken;
}

/** The configuration without what the vault alone can read. */
function loadUnsealed(sources: ConfigSources): LoadedConfig {
  const layers = readLayers(sources);
  const settings = readAppSettings(layers.dataDir, sources) ?? new Map();
  const unread = (sealed: string) => plainText(sealed) ?? 'sealed, and not needed';
  return settle(layers, fromApp(settings, appSettingsPath(layers.dataDir), unread));
}

/**
 * Every secret that the layers hold, in force or not. One setting that cannot be used
 * must not hide the secrets beside it. Never throws: a file that nobody can read tells this process nothing.
 */
export async function secretsAtRest(dataDir: string, sources: ConfigSources, vault: SecretVault): Promise<string[]> {
  const above = attempt(() => aboveFile(sources)) ?? [];
  const inFile = attempt(() => secretsInToml(readFileOf(above, sources).text ?? ''));
  const app = attempt(() => readAppSettings(dataDir, sources)) ?? new Map<string, unknown>();
  const unsealed = await unsealAll(app, vault);
  const inApp = SETTINGS.filter(({ secret }) => secret).map(({ path }) => secretText(app.get(path), unsealed));
  const given = above.flatMap(({ setting, value }) => (setting.secret ? [value] : []));
  return [...given, ...(inFile ?? []), ...inApp].filter((secret) => typeof secret === 'string');
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // whoever loads the configuration is told what is wrong
  }
}

/** What was set in the app, as it stands in its file; undefined when that is damaged. @throws CONFIG_INVALID */
export function readAppSettings(dataDir: string, { readFile = readTextFile }: ConfigSources): AppSettings | undefined {
  return parseAppSettings(readFile(appSettingsPath(dataDir)) ?? '{}');
}

/** What the last node that opened was started with; undefined when nobody knows. @throws CONFIG_INVALID */
export function readGoodSettings(dataDir: string, { readFile = readTextFile }: ConfigSources): AppSettings | undefined {
  const text = readFile(goodSettingsPath(dataDir));
  return text === undefined ? undefined : parseAppSettings(text);
}

/** Puts the layers together, each over the one before. */
export function merge({ file, above, world }: Layers, app: AppLayer): LoadedConfig {
  const here = [...file, ...app.given, ...above];
  const elsewhere = fromElsewhere(world, here);
  const given = [...elsewhere.given, ...here];
  const config = configSchema.parse(nest(given));
  const origins = new Map(given.map((one) => [one.setting.path, one]));
  const withheld = withheldSecrets(given, config);
  for (const { secret } of withheld) place(config, secret, undefined);
  const notTaken = elsewhere.refused;
  const warnings = [
    ...app.warnings,
    ...withheld.map((one) => sentence(withheldWords(one))),
    ...notTaken.map(({ message }) => `${message} It is left out.`),
  ];
  return { config: frozen(config), origins, withheld, notTaken, warnings };
}

/** The same; what was set in the app gives way where it contradicts the rest. @throws CONFIG_INVALID when that is not enough */
export function settle(layers: Layers, app: AppLayer): LoadedConfig {
  const loaded = merge(layers, app);
  const found = contradiction(loaded.config);
  if (!found) return loaded;
  const given = app.given.filter(({ setting }) => !found.between.includes(setting.path));
  if (given.length === app.given.length) throw found.error;
  const warning = `${found.error.message} What was set in the app for ${found.between.join(' and ')} is left out.`;
  return settle(layers, { given, warnings: [...app.warnings, warning] });
}

/** What the environment, with the files that it names, and the command line say. */
function aboveFile(sources: ConfigSources): Given[] {
  const { flags: { configFile: _, ...flags } = {}, env = {}, cwd = process.cwd(), readFile = readTextFile } = sources;
  return [...fromEnvironment({ env, cwd, readFile }), ...fromFlags(flags, cwd)].map(checkGiven);
}

function readFileOf(above: Given[], sources: ConfigSources) {
  const { flags = {}, env = {}, cwd = process.cwd(), readFile = readTextFile } = sources;
  const named = flags.configFile ?? (env.QUARRY_CONFIG || undefined);
  const path = named === undefined ? dataPath(dataDirOf(above), 'config') : resolve(cwd, named);
  return { named, path, text: readFile(path) };
}

function readConfigFile(above: Given[], sources: ConfigSources): Given[] {
  const { named, path, text } = readFileOf(above, sources);
  if (text !== undefined) return fromFile(text, path);
  if (named === undefined) return [];
  throw configError(say('settings.noFile', { path }), say('settings.correctConfig'));
}

/** The data folder as far as these layers know it. */
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

/** @throws CONFIG_INVALID for a file that cannot be read */
export function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw configError(say('settings.unreadable', { path, code: String(code) }), say('settings.correctPermissions'));
  }
}
