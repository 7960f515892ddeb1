import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src-main/settings/config.ts';
import { SETTINGS, type Setting } from '../../../src-main/settings/config-settings.ts';
import { configTables, describeConfig } from '../../../src-main/settings/config-view.ts';

const load = (toml: string) => loadConfig({ readFile: () => toml, flags: { configFile: 'quarry.toml' } });

describe('describeConfig', () => {
  it('tells of every setting what it means, what it wants and what it is by default', () => {
    for (const setting of describeConfig()) {
      expect(setting.description, setting.setting).toMatch(/\.$/);
      expect(setting.wanted, setting.setting).toMatch(/^(a|one of) /);
      expect(setting.wanted, setting.setting).not.toContain('undefined');
      expect(setting.wanted, setting.setting).not.toMatch(/ from (\S+) to \1$/);
      expect(setting.default, setting.setting).not.toBe('');
      expect(setting.variable, setting.setting).toMatch(/^QUARRY_[A-Z_]+(, [A-Z_]+)*$/);
    }
  });

  it('gives no two settings the same variable', () => {
    const variables = describeConfig().map(({ variable }) => variable);
    expect(new Set(variables).size).toBe(variables.length);
  });
});

describe('a list', () => {
  it('is no number: it says itself what it wants', () => {
    const lists = SETTINGS.filter(({ type }) => type === 'list');
    expect(lists.length).toBeGreaterThan(5);
    expect(lists.filter(({ wanted }) => /number$/i.test(wanted.key))).toEqual([]);
  });
});

describe('docs/configuration.md', () => {
  it('lists exactly the settings that there are', () => {
    const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    expect(page.includes(configTables()), 'docs/configuration.md is not what `npm run -s settings-page` writes').toBe(
      true,
    );
  });

  it('names what takes effect at once, and what is never shown', () => {
    const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    const [, section = ''] = /## Settings on the screens\n(.*?)\n## /s.exec(page) ?? [];
    const [, atOnce = ''] = /Some take effect at once:(.*?)The others/s.exec(section) ?? [];
    const [, secrets = ''] = /the address of the database \((.*?)\)/s.exec(section) ?? [];
    const [, sent = ''] = /\n(`.*?) are sent to one server/s.exec(section) ?? [];
    const named = (text: string) => [...text.matchAll(/`\[?([\w.]+)\]?`/g)].map(([, name = '']) => name).sort();
    const tables = [
      'axon',
      'policy',
      'desktop',
      'validator',
      'focus',
      'data',
      'market',
      'competition',
      'competitor',
      'learning',
    ];
    const tableOf = (path: string) => tables.find((table) => path.startsWith(`${table}.`)) ?? path;
    const paths = (of: (setting: Setting) => unknown) => SETTINGS.filter(of).map(({ path }) => path);
    expect(named(atOnce)).toEqual([...new Set(paths((setting) => setting.atOnce).map(tableOf))].sort());
    expect(named(secrets)).toEqual(paths(({ secret }) => secret).sort());
    expect(named(sent)).toEqual(paths(({ sentTo }) => sentTo).sort());
  });

  it('has an example that is accepted', () => {
    const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    const [, example = ''] = /```toml\n(.*?)```/s.exec(page) ?? [];
    expect(load(example).mesh.name).toBe('friends');
  });
});
