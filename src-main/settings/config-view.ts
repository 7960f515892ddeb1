import { isDeepStrictEqual } from 'node:util';
import { type Said, say, sentence, told } from '../../src-preload/contract/saying.ts';
import type { Setting as SettingView } from '../../src-preload/contract/settings.ts';
import type { Config, LoadedConfig } from './config.ts';
import { appliesAtOnce, SETTINGS, type Setting, TABLES, valueAt } from './config-settings.ts';
import { fileVariable } from './secret-files.ts';
import { withheldWords } from './secret-origins.ts';

/** A line of the documentation. */
export interface SettingDescription {
  setting: string;
  variable: string;
  /** The command-line option; absent when there is none. */
  flag?: string;
  wanted: string;
  default: string;
  description: string;
}

function variablesOf({ variable, secret, env, elsewhere }: Setting): string[] {
  return [variable, secret && fileVariable(variable), env, elsewhere].filter((name) => typeof name === 'string');
}

/** Every setting, for the documentation. */
export function describeConfig(): SettingDescription[] {
  return SETTINGS.map((setting) => ({
    setting: setting.path,
    variable: variablesOf(setting).join(', '),
    flag: setting.flag,
    wanted: sentence(setting.wanted),
    default: defaultOf(setting),
    description: setting.description,
  }));
}

/** The tables of docs/configuration.md, one for each table of the file. */
export function configTables(): string {
  const rows = describeConfig();
  const sections = ['', ...TABLES].map((table) => {
    const own = rows.filter(({ setting }) => tableOf(setting) === table);
    return [table ? `### [${table}]` : '### General', '', ...markdownTable(own, table)].join('\n');
  });
  return sections.join('\n\n');
}

/** A setting for a screen: as it is set, whether or not the running node knows yet. Of a secret only whether it is set. */
export function viewSetting(setting: Setting, loaded: LoadedConfig, running: Config): SettingView {
  const { path, type, secret = false, description, wanted, choices, whole, min, max, shownDefault } = setting;
  const { config, origins } = loaded;
  const value = valueAt(config, path);
  const withheld = loaded.withheld.find((one) => one.secret === path);
  const { said, ...sentences } = told({
    wanted,
    withheld: withheld && say('settings.sentences', { all: [withheldWords(withheld), say('settings.setSecretAgain')] }),
  });
  return {
    path,
    type,
    value: secret ? undefined : value,
    defaultValue: secret || shownDefault ? undefined : setting.schema.safeParse(undefined).data,
    shownDefault,
    origin: origins.get(path)?.layer ?? 'default',
    secret,
    isSet: value !== undefined || withheld !== undefined,
    description,
    ...sentences,
    said: { ...said, ...aboutSetting(setting) },
    choices,
    whole,
    min,
    max,
    applies: appliesAtOnce(path) ? 'now' : 'restart',
    waitsForRestart: !isDeepStrictEqual(value, valueAt(running, path)),
  };
}

/** The keys of what is said about a setting. Its English is the description itself, so that it stands in one place. */
export function aboutSetting({ path, shownDefault }: Pick<Setting, 'path' | 'shownDefault'>): Said {
  return {
    description: { key: `setting.${path}` },
    ...(shownDefault && { shownDefault: { key: `setting.${path}.default` } }),
  };
}

function defaultOf({ shownDefault, schema }: Setting): string {
  if (shownDefault) return shownDefault;
  const value = schema.safeParse(undefined).data;
  return value === undefined ? '–' : `\`${JSON.stringify(value)}\``;
}

function markdownTable(rows: SettingDescription[], table: string): string[] {
  const short = (setting: string) => (table ? setting.slice(table.length + 1) : setting);
  return [
    '| Setting | Meaning | Wanted | Default | Variable, option |',
    '|---|---|---|---|---|',
    ...rows.map((row) => {
      const names = [row.variable, row.flag].filter(Boolean).join(', ');
      const cells = [`\`${short(row.setting)}\``, row.description, row.wanted, row.default, code(names)];
      return `| ${cells.join(' | ')} |`;
    }),
  ];
}

function code(names: string): string {
  return names
    .split(', ')
    .map((name) => `\`${name}\``)
    .join(', ');
}

function tableOf(setting: string): string {
  return setting.split('.').slice(0, -1).join('.');
}
