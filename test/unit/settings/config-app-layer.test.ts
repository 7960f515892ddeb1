import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromApp, settableSetting } from '../../../src-main/settings/app-layer.ts';
import { type ConfigSources, loadConfig, loadNodeConfig } from '../../../src-main/settings/config.ts';
import { SETTINGS, valueAt } from '../../../src-main/settings/config-settings.ts';
import { PlainVault } from '../../../src-main/settings/secret-vault.ts';
import { lookAtServer, ResultsDb } from '../../../src-main/store/results/results-db.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';

const dataDir = resolve('/quarry-data');
const APP = join(dataDir, 'app-settings.json');
const TOML = join(dataDir, 'quarry.toml');

/** Sources with these two files and nothing else. */
function sources(app: unknown, toml = '', more: ConfigSources = {}): ConfigSources {
  const files: Record<string, string> = { [APP]: typeof app === 'string' ? app : JSON.stringify(app), [TOML]: toml };
  return { readFile: (path) => files[path], env: {}, ...more, flags: { dataDir, ...more.flags } };
}

function failureOf(fails: () => unknown): QuarryError {
  try {
    fails();
  } catch (error) {
    return QuarryError.from(error);
  }
  throw new Error('it did not fail');
}

describe('what was set in the app', () => {
  it('stands over the file and under the environment and the command line', () => {
    const app = { port: 1_002, threads: 2, 'mesh.name': 'app', 'policy.quietHours': ['01:00-02:00'] };
    const toml = 'port = 1001\nthreads = 1\nparallel = 9\n[mesh]\nname = "file"';
    const env = { QUARRY_THREADS: '3' };
    expect(loadConfig(sources(app, toml, { env, flags: { 'mesh.name': 'line' } }))).toMatchObject({
      port: 1_002,
      threads: 3,
      parallel: 9,
      mesh: { name: 'line' },
      policy: { quietHours: ['01:00-02:00'] },
    });
  });

  it('is read from the data folder that the configuration file names', () => {
    const file = resolve('/elsewhere/quarry.toml');
    const readFile = (path: string) =>
      ({ [file]: `dataDir = ${JSON.stringify(dataDir)}`, [APP]: '{"port": 99}' })[path];
    expect(loadConfig({ readFile, env: {}, flags: { configFile: file } })).toMatchObject({ port: 99, dataDir });
  });

  it('leaves out what it does not know, what is of the wrong kind and the data folder', () => {
    const app = { port: 'x', nonsense: 1, __proto__: null, dataDir: '/tmp/other', threads: 2, apiToken: 'short' };
    const config = loadConfig(sources(app));
    expect(config).toMatchObject({ port: 7_070, dataDir, threads: 2 });
    expect(config.apiToken).toBeUndefined();
  });

  it('names some of the many entries that it does not know, each as far as a name may be long', () => {
    const names = Array.from({ length: 10_000 }, (_, index) =>
      `${'x'.repeat(90)}${index}`.repeat(index < 20 ? 1_000 : 1),
    );
    const settings = new Map<string, unknown>([...names.map((name): [string, unknown] => [name, 1]), ['threads', 2]]);
    const { given, warnings } = fromApp(settings, APP, () => undefined);
    expect(given).toMatchObject([{ value: 2 }]);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe(`9980 more entries of ${APP} are no settings. They are left out.`);
    expect(Math.max(...warnings.map((warning) => warning.length))).toBeLessThan(400);
  });

  it('repeats no more of an unknown name than a name may be long, wherever it stands', () => {
    const name = 'x'.repeat(100_000);
    const failures = [
      () => loadConfig(sources({}, `${name} = 1`)),
      () => loadConfig(sources({}, '', { env: { [`QUARRY_${name}`]: '1' } })),
      () => settableSetting(name),
    ];
    for (const fails of failures) {
      const error = failureOf(fails);
      expect(error.code).toBe('CONFIG_INVALID');
      expect(JSON.stringify(error).length).toBeLessThan(2_000);
    }
  });

  it.each(['', 'nonsense', '[1]', '"text"', 'null', '{"port": 1'])('is nothing when its file holds %j', (text) => {
    expect(loadConfig(sources(text)).port).toBe(7_070);
  });

  it.each([
    [{ host: '0.0.0.0' }, '', 'host', '127.0.0.1'],
    [{ host: '0.0.0.0', apiToken: { sealed: 'by another vault' } }, '', 'host', '127.0.0.1'],
    [{ publicUrl: 'https://a.example' }, '', 'publicUrl', undefined],
    [{ backend: 'remote' }, '', 'backend', 'local'],
    [{ tlsCert: '/cert.pem' }, '', 'tlsCert', undefined],
    [{ 'credits.rule': 'witnessed' }, '', 'credits.rule', 'claims'],
    [{ 'credits.rule': 'witnessed' }, '[mesh]\nname = "ours"', 'credits.rule', 'claims'],
    [{ 'credits.rule': 'witnessed' }, '[mesh]\nsecret = "only we know"', 'credits.rule', 'witnessed'],
    [{ 'policy.heatBelow': 84 }, '[policy]\nheatAbove = 80', 'policy.heatBelow', 75],
  ])('gives way where it contradicts the rest, and nothing else does: %j', (app, toml, path, expected) => {
    const config = loadConfig(sources({ ...app, threads: 3 }, toml));
    expect(valueAt(config, path)).toBe(expected);
    expect(config.threads).toBe(3);
  });

  it('does not excuse what the other layers say', () => {
    expect(() => loadConfig(sources({ threads: 2 }, 'host = "0.0.0.0"'))).toThrow(/apiToken/);
  });

  it('never keeps a node from starting, whatever its file holds', () => {
    const path = fc.oneof(fc.constantFrom(...SETTINGS.map((setting) => setting.path)), fc.string());
    const value = fc.oneof(fc.jsonValue(), fc.record({ sealed: fc.string() }), fc.constantFrom('0.0.0.0', 'remote'));
    fc.assert(
      fc.property(fc.dictionary(path, value), (app) => {
        expect(loadConfig(sources(app)).dataDir).toBe(dataDir);
      }),
      { numRuns: 300 },
    );
  });
});

describe('secrets set in the app', () => {
  const desktop = {
    seal: async (secret: string) => [...secret].reverse().join(''),
    unseal: async (sealed: string) => {
      if (sealed === 'gone') throw new Error('the key is gone');
      return [...sealed].reverse().join('');
    },
    state: () => new PlainVault().state(),
  };

  it('are read by whoever loads the configuration when they are not encrypted', async () => {
    const sealed = await new PlainVault().seal('0123456789abcdef-ü');
    expect(loadConfig(sources({ apiToken: { sealed } })).apiToken).toBe('0123456789abcdef-ü');
    expect((await loadNodeConfig(sources({ apiToken: { sealed } }), desktop)).apiToken).toBe('0123456789abcdef-ü');
  });

  it('are opened by the vault that sealed them', async () => {
    const app = sources({ apiToken: { sealed: await desktop.seal('0123456789abcdef') } });
    expect((await loadNodeConfig(app, desktop)).apiToken).toBe('0123456789abcdef');
    expect((await loadNodeConfig(app, new PlainVault())).apiToken).toBeUndefined();
    expect(loadConfig(app).apiToken).toBeUndefined();
  });

  it('count as not set when the vault has lost the key', async () => {
    const config = await loadNodeConfig(sources({ 'models.token': { sealed: 'gone' }, port: 8_000 }), desktop);
    expect(config.port).toBe(8_000);
    expect(config.models.token).toBeUndefined();
  });

  it('never let a node of a private mesh onto the public one', async () => {
    const app = sources({ 'mesh.name': 'friends', 'mesh.secret': { sealed: 'gone' } });
    const [once, again] = [await loadNodeConfig(app, desktop), loadConfig(app)];
    expect(once.mesh.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(again.mesh.secret).toBe(once.mesh.secret);
  });

  it('never let a validator whose database cannot be read here keep its results in a file instead', async () => {
    const { database: url } = await loadNodeConfig(sources({ database: { sealed: 'gone' } }), desktop);
    const refused = { code: 'CONFIG_INVALID', field: 'database', message: expect.stringContaining('sealed') };
    await expect(new ResultsDb({ dataDir, url }).open()).rejects.toMatchObject(refused);
    await expect(lookAtServer(url ?? '')).rejects.toMatchObject(refused);
    expect(existsSync(join(dataDir, 'results.db'))).toBe(false);
  });
});

describe('PlainVault', () => {
  it('gives back what it was given, says that it protects nothing, and opens nobody else’s', async () => {
    const vault = new PlainVault();
    expect(await vault.unseal(await vault.seal('pässwort'))).toBe('pässwort');
    await expect(vault.unseal('djEwabc')).rejects.toThrow('desktop app');
    expect(await vault.state()).toMatchObject({ protected: false, note: expect.stringContaining('unencrypted') });
  });
});
