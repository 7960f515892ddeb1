import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src-main/settings/config.ts';
import { configTables, describeConfig } from '../../../src-main/settings/config-view.ts';

const load = (toml: string) => loadConfig({ readFile: () => toml, flags: { configFile: 'quarry.toml' } });

describe('describeConfig', () => {
  it('tells of every setting what it means, what it wants and what it is by default', () => {
    for (const setting of describeConfig()) {
      expect(setting.description, setting.setting).toMatch(/\.$/);
      expect(setting.wanted, setting.setting).toMatch(/^(a|one of) /);
      expect(setting.wanted, setting.setting).not.toContain('undefined');
      expect(setting.default, setting.setting).not.toBe('');
      expect(setting.variable, setting.setting).toMatch(/^QUARRY_[A-Z_]+(, [A-Z_]+)?$/);
    }
  });

  it('gives no two settings the same variable', () => {
    const variables = describeConfig().map(({ variable }) => variable);
    expect(new Set(variables).size).toBe(variables.length);
  });
});

describe('docs/configuration.md', () => {
  it('lists exactly the settings that there are', () => {
    const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    expect(page).toContain(configTables());
  });

  it('has an example that is accepted', () => {
    const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    const [, example = ''] = /```toml\n(.*?)```/s.exec(page) ?? [];
    expect(load(example).mesh.name).toBe('friends');
  });
});
