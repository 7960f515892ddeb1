import { dirname } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { say } from '../../src-preload/contract/saying.ts';
import type { SETTING_ORIGINS } from '../../src-preload/contract/settings.ts';
import { configError } from '../base/setting.ts';
import type { SettingPath } from './config-schema.ts';
import { nearest, SETTINGS, type Setting, settingAt, shownName, TABLES } from './config-settings.ts';
import { fileVariable, type SecretFiles, secretInFile } from './secret-files.ts';

export type Layer = (typeof SETTING_ORIGINS)[number];

/** A value that a layer gives for a setting. */
export interface Given {
  setting: Setting;
  value: unknown;
  layer: Layer;
  /** Where it stands, for error messages: the file, the variable, the option. */
  origin: string;
  /** Folder that a relative path starts from. */
  folder: string;
  /** Of a secret that was set in the app: the origin of the server that it is for. */
  setFor?: string;
}

/** Far more than every setting together needs. */
const MAX_FILE_CHARS = 1_000_000;

/** Settings from the text of a configuration file. @throws CONFIG_INVALID for bad TOML or an unknown key */
export function fromFile(text: string, file: string): Given[] {
  if (text.length > MAX_FILE_CHARS) throw configError(say('settings.tooLarge', { file }));
  return flatten(parseToml(text, file), '', file);
}

/** The secrets in a configuration file, whatever else is wrong with it. @throws CONFIG_INVALID for bad TOML */
export function secretsInToml(text: string): string[] {
  const root = parseToml(text.slice(0, MAX_FILE_CHARS), 'the configuration file');
  const secrets = SETTINGS.filter(({ secret }) => secret).map(({ path }) => deepValue(root, path.split('.')));
  return secrets.filter((secret) => typeof secret === 'string');
}

function deepValue(table: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return table;
  return isTable(table) ? deepValue(table[key], rest) : undefined;
}

/** Variables that are not settings. */
const OTHER_VARIABLES = ['QUARRY_CONFIG', 'QUARRY_DEBUG', 'QUARRY_BACKUP_PASSWORD', 'QUARRY_BACKUP_PASSWORD_FILE'];
/** Belong to the tests and the measurements, which start nodes with all that is set around them. */
const OF_OTHERS = /^QUARRY_(TEST|BENCH)_/;

/**
 * Settings from environment variables, those of secrets also from files that variables name. An empty one counts as not set.
 * @throws CONFIG_INVALID for an unknown QUARRY_…, and for a file that holds no secret
 */
export function fromEnvironment({ env, cwd, readFile }: SecretFiles): Given[] {
  const variables = SETTINGS.flatMap(({ variable, secret }) =>
    secret ? [variable, fileVariable(variable)] : variable,
  );
  for (const name of Object.keys(env)) {
    if (!name.startsWith('QUARRY_') || OF_OTHERS.test(name)) continue;
    if (variables.includes(name) || OTHER_VARIABLES.includes(name)) continue;
    const shown = shownName(name);
    const meant = nearest(shown, [...variables, ...OTHER_VARIABLES]);
    throw configError(
      meant ? say('settings.noVariable', { name: shown, meant }) : say('settings.noVariableNear', { name: shown }),
    );
  }
  return SETTINGS.flatMap((setting) => {
    const { variable, secret, env: elsewhere } = setting;
    const given = (origin: string, text: string | undefined): Given[] =>
      text ? [{ setting, value: fromText(text, setting), layer: 'environment', origin, folder: cwd }] : [];
    return [
      ...(elsewhere ? given(elsewhere, env[elsewhere]) : []),
      ...(secret ? given(fileVariable(variable), secretInFile(variable, { env, cwd, readFile })) : []),
      ...given(variable, env[variable]),
    ];
  });
}

/** What command-line options give, by the path of their setting; undefined counts as not given. */
export type SettingFlags = { readonly [Path in SettingPath]?: string | number | readonly string[] | undefined };

/** @throws CONFIG_INVALID for a path that leads to no setting */
export function fromFlags(flags: SettingFlags, cwd: string): Given[] {
  return Object.entries(flags).flatMap(([path, given]) => {
    if (given === undefined) return [];
    const setting = settingAt(path);
    if (!setting) throw unknownSetting(path);
    const value = typeof given === 'string' ? fromText(given, setting) : given;
    return [{ setting, value, layer: 'command line', origin: setting.flag ?? path, folder: cwd }];
  });
}

/** Variables, options and what is typed are text: what the setting wants is read from it. Parts of a list are parted by commas. */
export function fromText(text: string, { type }: Setting): unknown {
  if (type === 'switch') return ['true', 'false'].includes(text.trim()) ? text.trim() === 'true' : text;
  if (type === 'number') return /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
  return type === 'list' ? text.split(',').flatMap((part) => part.trim() || []) : text;
}

function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Only the first line of the message: the rest quotes the file, which may hold secrets.
    const [reason] = error.message.split('\n');
    throw configError(
      say('settings.line', { file, line: String(error.line), column: String(error.column), reason: reason ?? '' }),
      say('settings.correctLine'),
    );
  }
}

function flatten(table: Record<string, unknown>, prefix: string, file: string): Given[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const path = prefix ? `${prefix}.${key}` : key;
    const setting = settingAt(path);
    if (setting) return [{ setting, value, layer: 'file', origin: file, folder: dirname(file) }];
    if (!TABLES.has(path)) throw unknownKey(path, file);
    if (!isTable(value)) throw configError(say('settings.mustBeTable', { file, path }), undefined, path);
    return flatten(value, path, file);
  });
}

/** There is none at that path. */
export function unknownSetting(name: string): Error {
  const path = shownName(name);
  const meant = nearest(
    path,
    SETTINGS.map((known) => known.path),
  );
  return configError(
    meant ? say('settings.none', { path, meant }) : say('settings.noneNear', { path }),
    undefined,
    path,
  );
}

function unknownKey(name: string, file: string): Error {
  const path = shownName(name);
  const meant = nearest(path, [...SETTINGS.map((setting) => setting.path), ...TABLES]);
  const message = meant
    ? say('settings.noneInFile', { file, path, meant })
    : say('settings.noneNearInFile', { file, path });
  return configError(message, undefined, path);
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
