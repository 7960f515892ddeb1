import { SETTINGS, type Setting, TABLES } from './config-settings.ts';

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

/** Every setting, for the documentation. */
export function describeConfig(): SettingDescription[] {
  return SETTINGS.map((setting) => ({
    setting: setting.path,
    variable: setting.env ? `${setting.variable}, ${setting.env}` : setting.variable,
    flag: setting.flag,
    wanted: setting.wanted,
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
