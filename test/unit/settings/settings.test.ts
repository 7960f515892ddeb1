import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConfigSources, loadGoodConfig, loadNodeConfig } from '../../../src-main/settings/config.ts';
import type { SecretVault } from '../../../src-main/settings/secret-vault.ts';
import { PlainVault } from '../../../src-main/settings/secret-vault.ts';
import { Settings } from '../../../src-main/settings/settings.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { type Setting, settingsViewSchema } from '../../../src-preload/contract/settings.ts';

let dataDir: string;
const logged: string[] = [];
const log = pino({ level: 'debug' }, { write: (line) => logged.push(line) });

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quarry-settings-'));
  logged.length = 0;
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

const file = () => join(dataDir, 'app-settings.json');
const written = async () => JSON.parse(await readFile(file(), 'utf8'));

/** The settings of a node that starts now. */
async function start(sources: ConfigSources = {}, vault: SecretVault = new PlainVault()) {
  const all = { env: {}, ...sources, flags: { dataDir, ...sources.flags } };
  const config = await loadNodeConfig(all, vault);
  const settings = new Settings({ config, sources: all, vault, log });
  await settings.open();
  return { config, settings };
}

/** Some of what a running node has taken over. */
function inForce(settings: Settings) {
  return { language: settings.follow('language').now, policy: settings.follow('policy').now };
}

async function shown(settings: Settings, path: string): Promise<Setting> {
  const { settings: all } = settingsViewSchema.parse(await settings.list());
  return all.find((setting) => setting.path === path)!;
}

describe('Settings.list', () => {
  it('tells who gave each setting', async () => {
    await writeFile(join(dataDir, 'quarry.toml'), 'port = 1001\nparallel = 2');
    await writeFile(file(), '{"parallel": 3, "threads": 1}');
    const { settings } = await start({ env: { QUARRY_THREADS: '2' }, flags: { model: 'tiny' } });
    const { settings: all, restartNeeded } = await settings.list();
    const origins = Object.fromEntries(all.map(({ path, origin }) => [path, origin]));
    expect(origins).toMatchObject({
      port: 'file',
      parallel: 'app',
      threads: 'environment',
      model: 'command line',
      dataDir: 'command line',
      gpuLayers: 'default',
    });
    expect(restartNeeded).toBe(false);
  });

  it('describes what a value may be', async () => {
    const { settings } = await start();
    expect(await shown(settings, 'port')).toMatchObject({
      type: 'number',
      value: 7_070,
      defaultValue: 7_070,
      whole: true,
      min: 0,
      max: 65_535,
      applies: 'restart',
    });
    expect(await shown(settings, 'policy.heat')).toMatchObject({
      type: 'string',
      choices: ['off', 'throttle', 'pause'],
      applies: 'now',
    });
    const threads = await shown(settings, 'threads');
    expect(threads).toMatchObject({ isSet: false, shownDefault: expect.stringContaining('cores') });
    expect(threads.defaultValue).toBeUndefined();
    expect((await shown(settings, 'mesh.name')).min).toBeUndefined();
  });

  it('never holds a secret', async () => {
    await writeFile(join(dataDir, 'quarry.toml'), '[remote]\napiKey = "file-secret-1"');
    const database = 'postgres://me:url%2Bsecret-4444@127.0.0.1/results';
    const { settings } = await start({ env: { QUARRY_MESH_SECRET: 'env-secret-22', QUARRY_DATABASE: database } });
    await settings.set({ changes: { apiToken: 'app-secret-333333' } });
    const view = await settings.list();
    expect(JSON.stringify(view)).not.toMatch(/secret-\d/);
    const secrets = view.settings.filter(({ secret }) => secret).map(({ path, isSet }) => [path, isSet]);
    expect(secrets).toEqual([
      ['database', true],
      ['apiToken', true],
      ['metricsToken', false],
      ['mesh.secret', true],
      ['models.token', false],
      ['remote.apiKey', true],
      ['validator.signerToken', false],
      ['focus.scorer.apiKey', false],
      ['data.captioner.apiKey', false],
      ['data.upload.token', false],
    ]);
    const inAddress = [database, 'url%2Bsecret-4444', 'url+secret-4444'];
    expect((await settings.secrets()).toSorted()).toEqual(
      ['env-secret-22', 'file-secret-1', 'app-secret-333333', ...inAddress].toSorted(),
    );
  });

  it('knows a password that stands with the user’s name', async () => {
    const { settings } = await start({ env: { QUARRY_DATABASE: 'postgres://me%3Asecret-55%26@127.0.0.1/results' } });
    expect(await settings.secrets()).toContain('secret-55&');
  });

  it('says where the configuration file went wrong meanwhile', async () => {
    const { settings } = await start();
    await writeFile(join(dataDir, 'quarry.toml'), 'prot = 1');
    await expect(settings.list()).rejects.toMatchObject({ code: 'CONFIG_INVALID', field: 'prot' });
    expect(await settings.secrets()).toEqual([]);
  });

  it('still knows every secret when a setting beside it cannot be used', async () => {
    const { settings } = await start();
    await writeFile(join(dataDir, 'quarry.toml'), 'prot = 1\n[remote]\napiKey = "file-secret-1"');
    const sealed = await new PlainVault().seal('sealed-secret-22');
    const app = { apiToken: { sealed }, 'mesh.secret': 'plain-secret-333', port: 'none' };
    await writeFile(file(), JSON.stringify(app));
    await expect(settings.list()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    const secrets = await settings.secrets();
    expect(secrets.sort()).toEqual(['file-secret-1', 'plain-secret-333', 'sealed-secret-22']);
    await writeFile(file(), 'damaged');
    expect(await settings.secrets()).toEqual(['file-secret-1']);
    await writeFile(join(dataDir, 'quarry.toml'), 'apiToken = ');
    expect(await settings.secrets()).toEqual([]);
  });
});

describe('Settings.set', () => {
  it('puts in force at once what needs no restart, and tells whoever follows it', async () => {
    const { config, settings } = await start();
    const [policy, heat, desktop] = [
      settings.follow('policy'),
      settings.follow('policy.heat'),
      settings.follow('desktop'),
    ];
    const changed = vi.fn();
    settings.subscribe(changed);
    const [toldOfPolicy, toldOfHeat, toldOfModel] = [vi.fn(), vi.fn(), vi.fn()];
    policy.whenSet(toldOfPolicy);
    heat.whenSet(toldOfHeat);
    settings.follow('model').whenSet(toldOfModel);
    const before = policy.now;
    const changes = { 'policy.heat': 'off', 'policy.quietHours': ['22:00-07:00'], 'desktop.closeToTray': false };
    const view = await settings.set({ changes });
    expect(policy.now).toMatchObject({ heat: 'off', quietHours: ['22:00-07:00'] });
    expect(desktop.now.closeToTray).toBe(false);
    expect(toldOfPolicy).toHaveBeenCalledExactlyOnceWith(policy.now);
    expect(toldOfHeat).toHaveBeenCalledExactlyOnceWith('off');
    expect(toldOfModel).not.toHaveBeenCalled();
    expect(changed).toHaveBeenCalledExactlyOnceWith(Object.keys(changes).toSorted());
    expect(before.heat).toBe('pause');
    expect(config.policy).toBe(before);
    expect(view.restartNeeded).toBe(false);
    expect(await written()).toEqual(changes);
  });

  it('changes no configuration that somebody holds: each is frozen', async () => {
    const { config, settings } = await start({ env: { QUARRY_BOOTSTRAP: 'a:1' } });
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.limits.requestsPerMinute, { gold: 1 })).toThrow(TypeError);
    expect(() => config.bootstrap.push('b:2')).toThrow(TypeError);
    await settings.set({ changes: { 'policy.quietHours': ['22:00-07:00'] } });
    expect(() => settings.follow('policy.quietHours').now.pop()).toThrow(TypeError);
    expect(() => Object.assign(settings.follow('policy').now, { heat: 'off' })).toThrow(TypeError);
  });

  it('leaves alone what only a file says by now', async () => {
    const { settings } = await start();
    const [language, model] = [settings.follow('language'), settings.follow('model')];
    await writeFile(join(dataDir, 'quarry.toml'), 'model = "another"');
    await settings.set({ changes: { language: 'de' } });
    expect(language.now).toBe('de');
    expect(model.now).toBeUndefined();
    expect(await shown(settings, 'model')).toMatchObject({ value: 'another', origin: 'file', waitsForRestart: true });
    await settings.set({ changes: { model: 'chosen' } });
    expect(model.now).toBe('chosen');
  });

  it('takes over with a setting what the file says by now and it is only right together with', async () => {
    const { settings } = await start();
    const changed = vi.fn();
    settings.subscribe(changed);
    await writeFile(join(dataDir, 'quarry.toml'), 'language = "de"\n[policy]\nheatAbove = 115');
    await settings.set({ changes: { 'policy.heatBelow': 100 } });
    expect(inForce(settings).policy).toMatchObject({ heatAbove: 115, heatBelow: 100 });
    expect(changed.mock.calls).toEqual([[expect.arrayContaining(['policy.heatAbove', 'policy.heatBelow'])]]);
    expect(inForce(settings).language).not.toBe('de');
  });

  it('is set although one who follows it fails, which is logged', async () => {
    const { settings } = await start();
    const others = vi.fn();
    settings.subscribe(() => {
      throw new Error('the listener is broken');
    });
    settings.subscribe(others);
    await settings.set({ changes: { language: 'de' } });
    expect(inForce(settings).language).toBe('de');
    expect(others).toHaveBeenCalledOnce();
    expect(logged.join('')).toContain('the listener is broken');
  });

  it('keeps what wants a restart from the running node, and says that it waits', async () => {
    const { config, settings } = await start();
    const changed = vi.fn();
    settings.subscribe(changed);
    expect((await settings.set({ changes: { port: 8_001 } })).restartNeeded).toBe(true);
    expect(config.port).toBe(7_070);
    expect(changed).not.toHaveBeenCalled();
    expect(await shown(settings, 'port')).toMatchObject({ value: 8_001, origin: 'app', waitsForRestart: true });
    const again = await start();
    expect(again.config.port).toBe(8_001);
    expect((await again.settings.list()).restartNeeded).toBe(false);
  });

  it('goes back to what the file or the default says', async () => {
    await writeFile(join(dataDir, 'quarry.toml'), '[policy]\nheatAbove = 90');
    const { settings } = await start();
    await settings.set({ changes: { 'policy.heatAbove': 100, language: 'de' } });
    expect(inForce(settings)).toMatchObject({ language: 'de', policy: { heatAbove: 100 } });
    const view = await settings.set({ changes: { 'policy.heatAbove': null, language: null } });
    expect(inForce(settings)).toMatchObject({ language: 'system', policy: { heatAbove: 90 } });
    expect(view.settings.filter(({ origin }) => origin === 'app')).toEqual([]);
    expect(await written()).toEqual({});
  });

  it.each([
    [{ port: '8000' }, 'port', 'The settings: port must be a whole number from 0 to 65535, but it is the text "8000".'],
    [{ prot: 1 }, 'prot', 'There is no setting «prot»; did you mean «port»?'],
    [{ __proto__x: 1 }, '__proto__x', expect.stringContaining('There is no setting')],
    [{ dataDir: '/tmp/x' }, 'dataDir', expect.stringContaining('cannot be set in the app')],
    [{ dataDir: null }, 'dataDir', expect.stringContaining('cannot be set in the app')],
    [{ threads: undefined }, 'threads', 'threads must be a whole number from 1 to 1024.'],
    [{ threads: 10n }, 'threads', expect.stringContaining('threads must be a whole number')],
    [{ 'policy.heatAbove': 70 }, 'policy.heatBelow', expect.stringContaining('must be less than')],
    [{ host: 'not a host' }, 'host', expect.stringContaining('host must be a host name or an IP address')],
    [{ model: '/dev/null' }, 'model', expect.stringContaining('the path of a .gguf file')],
    [{ 'data.upload.endpoint': 'http://hub.example' }, 'data.upload.endpoint', expect.stringContaining('https://')],
    [{ host: '0.0.0.0' }, 'apiToken', expect.stringContaining('there is no apiToken')],
    [
      { publicUrl: 'https://a.example/b', apiToken: '0123456789abcdef' },
      'publicUrl',
      expect.stringContaining('the path /b'),
    ],
    [{ tlsCert: '/a.pem' }, 'tlsCert', expect.stringContaining('go together')],
    [
      { apiToken: '0123456789abcdef', metricsToken: '0123456789abcdef' },
      'metricsToken',
      expect.stringMatching(/metricsToken is apiToken/),
    ],
    [{ metricsToken: 'too-short' }, 'metricsToken', expect.not.stringContaining('too-short')],
    [{ apiToken: 'too-short' }, 'apiToken', expect.not.stringContaining('too-short')],
    [{ apiToken: { sealed: 'plain:MDEyMzQ1Njc4OWFiY2RlZg==' } }, 'apiToken', expect.stringContaining('a text of 16')],
  ])('refuses %o', async (bad, field, message) => {
    const { settings } = await start();
    const before = inForce(settings);
    const refused = settings.set({ changes: { language: 'de', ...bad } });
    await expect(refused).rejects.toMatchObject({ code: 'CONFIG_INVALID', field, message });
    expect(inForce(settings)).toEqual(before);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('takes what is only right together', async () => {
    const { settings } = await start();
    const changes = { host: '0.0.0.0', apiToken: '0123456789abcdef', 'policy.heatAbove': 70, 'policy.heatBelow': 60 };
    await settings.set({ changes });
    expect((await start()).config).toMatchObject({ host: '0.0.0.0', apiToken: '0123456789abcdef' });
    await expect(settings.set({ changes: { apiToken: null } })).rejects.toMatchObject({ field: 'apiToken' });
  });

  it.each([
    [{ tlsCert: '/nowhere/cert.pem', tlsKey: '/nowhere/key.pem' }, 'tlsCert'],
    [{ 'models.catalogues': ['/nowhere/more.json'] }, 'models.catalogues'],
    [{ 'models.folder': join(import.meta.filename, 'nowhere', 'models') }, 'models.folder'],
    [{ model: '/nowhere/model.gguf' }, 'model'],
  ])('takes no file that would keep the node from starting: %o', async (changes, field) => {
    const { settings } = await start();
    await expect(settings.set({ changes })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      field,
      message: expect.stringContaining('/nowhere/'),
    });
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('does not mind such a file when something else is set', async () => {
    await writeFile(file(), '{"models.catalogues": ["/nowhere/more.json"]}');
    const { settings } = await start();
    await settings.set({ changes: { language: 'de' } });
    await settings.set({ changes: { 'models.catalogues': null } });
    expect(await written()).toEqual({ language: 'de' });
  });

  it('names what holds a setting above the app', async () => {
    const { settings } = await start({ env: { GPU_LAYERS: '0' }, flags: { port: 7_171 } });
    for (const [path, holder] of [
      ['gpuLayers', 'GPU_LAYERS'],
      ['port', '--port'],
    ] as const) {
      await expect(settings.set({ changes: { [path]: 1 } })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        field: path,
        message: `${path} is set by ${holder}, which comes before what is set in the app.`,
      });
    }
  });

  it('tells the screens what is wanted, and does not repeat what was typed', async () => {
    const { settings } = await start();
    const message = {
      key: 'settings.mustBe',
      params: { path: 'mesh.name', wanted: say('settings.wanted.textOf', { least: 1, most: 100 }) },
    };
    const refused = settings.set({ changes: { 'mesh.name': 'x'.repeat(101) } });
    await expect(refused).rejects.toMatchObject({ said: { message, hint: { key: 'settings.listed' } } });
  });

  it('is bounded', async () => {
    const { settings } = await start();
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`a${i}`, 1]));
    await expect(settings.set({ changes: many })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const long = `${'a'.repeat(300_000)}:1`;
    await expect(settings.set({ changes: { bootstrap: [long] } })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const error = await settings.set({ changes: { port: long } }).catch((reason: Error) => reason.message);
    expect(error).toHaveLength(200 + String(error).indexOf('"aaa') + 2);
  });

  it('loses none of many changes at once', async () => {
    const { settings } = await start();
    const changes = [{ port: 1 }, { threads: 2 }, { parallel: 3 }, { port: 4 }, { gpuLayers: 5 }];
    await Promise.all(changes.map((change) => settings.set({ changes: change })));
    expect(await written()).toEqual({ port: 4, threads: 2, parallel: 3, gpuLayers: 5 });
  });

  it('goes on after one that was refused', async () => {
    const { settings } = await start();
    const refused = settings.set({ changes: { port: -1 } });
    const taken = settings.set({ changes: { port: 5_000 } });
    await expect(refused).rejects.toThrow();
    await taken;
    expect(await written()).toEqual({ port: 5_000 });
  });

  it('leaves alone in the file what a newer version may have set there', async () => {
    await writeFile(file(), '{"futureSetting": [1], "port": 1234}');
    const { settings } = await start();
    expect(logged.join()).toContain('futureSetting');
    await settings.set({ changes: { port: null } });
    expect(await written()).toEqual({ futureSetting: [1] });
  });

  it.skipIf(process.platform === 'win32')(
    'writes a file that only its owner can read, whatever it was before',
    async () => {
      await writeFile(file(), '{}', { mode: 0o644 });
      const { settings } = await start();
      await settings.set({ changes: { apiToken: '0123456789abcdef' } });
      expect((await stat(file())).mode & 0o777).toBe(0o600);
      expect(await readdir(dataDir)).toEqual(['app-settings.json']);
    },
  );

  it('changes nothing when it cannot be written', async () => {
    const { settings } = await start();
    await rm(dataDir, { recursive: true });
    await expect(settings.set({ changes: { language: 'de' } })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(inForce(settings).language).toBe('system');
  });
});

describe('what a node can go back to', () => {
  const goBack = () => loadGoodConfig({ env: {}, flags: { dataDir } }, new PlainVault());
  const good = () => join(dataDir, 'app-settings.good.json');

  it('is what the last one that opened was started with, and what took effect since', async () => {
    await writeFile(file(), '{"port": 1001, "policy.heat": "off", "language": "de"}');
    const { settings } = await start();
    await settings.set({ changes: { parallel: 3 } }); // nobody knows yet whether that works
    await settings.keepAsGood();
    expect(await goBack()).toMatchObject({ port: 1_001, policy: { heat: 'off' } });
    await settings.set({ changes: { port: 1_002, 'policy.heat': 'throttle', language: null } });
    const config = await goBack();
    expect(config).toMatchObject({ port: 1_001, policy: { heat: 'throttle' }, language: 'system' });
    expect(config?.parallel).not.toBe(3);
  });

  it('holds secrets as the other file does, for its owner alone', async () => {
    await (await start()).settings.set({ changes: { apiToken: '0123456789abcdef' } });
    await (await start()).settings.keepAsGood();
    expect(await readFile(good(), 'utf8')).not.toContain('0123456789abcdef');
    if (process.platform !== 'win32') expect((await stat(good())).mode & 0o777).toBe(0o600);
    await (await start()).settings.set({ changes: { apiToken: null } });
    expect((await goBack())?.apiToken).toBe('0123456789abcdef');
  });

  it('is nothing when it would be the same, or nobody knows', async () => {
    await writeFile(file(), '{"port": 1001}');
    expect(await goBack()).toBeUndefined();
    await (await start()).settings.keepAsGood();
    expect(await goBack()).toBeUndefined();
    await writeFile(file(), '{"port": 1002}');
    await writeFile(good(), '{"port": 10');
    expect(await goBack()).toBeUndefined();
  });

  it('is never what was refused, and not worth a failure when it cannot be written', async () => {
    const { config } = await start();
    const sources = { env: {}, flags: { dataDir } };
    const rejected = new QuarryError({ code: 'PORT_IN_USE', message: 'Port 80 is in use.' });
    const refused = new Settings({ config, sources, vault: new PlainVault(), rejected, log });
    await refused.open();
    await refused.keepAsGood();
    expect(await readdir(dataDir)).toEqual([]);
    expect(logged.join()).toContain('Port 80 is in use.');

    const { settings } = await start();
    await mkdir(good());
    await settings.keepAsGood();
    expect(logged.join()).toContain('could not be kept');
  });
});

describe('Settings, secrets', () => {
  it('makes an API token that is shown once and in force after a restart', async () => {
    const { config, settings } = await start();
    const { token } = await settings.newApiToken();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(config.apiToken).toBeUndefined();
    expect(await shown(settings, 'apiToken')).toMatchObject({ isSet: true, origin: 'app', waitsForRestart: true });
    expect((await start()).config.apiToken).toBe(token);
    expect((await settings.newApiToken()).token).not.toBe(token);
  });

  it('writes none of them in the clear, not even in the log', async () => {
    const { settings } = await start();
    await settings.set({ changes: { 'mesh.secret': 'correct horse', 'remote.apiKey': 'k' } });
    expect(await readFile(file(), 'utf8')).not.toContain('correct horse');
    expect(logged.join()).not.toContain('correct horse');
    expect((await start()).config).toMatchObject({ mesh: { secret: 'correct horse' }, remote: { apiKey: 'k' } });
  });

  it('sets nothing when the key store refuses', async () => {
    const locked = { ...new PlainVault(), seal: () => Promise.reject(new Error('the key ring is locked')) };
    const { settings } = await start({}, Object.assign(new PlainVault(), locked));
    await expect(settings.set({ changes: { apiToken: '0123456789abcdef', port: 1 } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      field: 'apiToken',
      message: 'apiToken cannot be kept: the key ring is locked.',
    });
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('warns of one that cannot be read, and takes a new one', async () => {
    await writeFile(file(), '{"apiToken": {"sealed": "v10-by-another"}}');
    const { settings } = await start();
    expect(logged.join()).toMatch(/apiToken was sealed by the desktop app and cannot be read here/);
    expect(await shown(settings, 'apiToken')).toMatchObject({ isSet: false });
    await settings.newApiToken();
    expect(await shown(settings, 'apiToken')).toMatchObject({ isSet: true });
  });
});

describe('Settings.open', () => {
  it('sets a damaged file aside and says so', async () => {
    await writeFile(file(), '{"port": 12');
    const { config, settings } = await start();
    expect(config.port).toBe(7_070);
    expect(logged.join()).toContain('app-settings.json.bad');
    expect(await readFile(`${file()}.bad`, 'utf8')).toBe('{"port": 12');
    await settings.set({ changes: { port: 13 } });
    expect(await written()).toEqual({ port: 13 });
  });

  it('removes what a write that was cut off has left', async () => {
    await writeFile(`${file()}.0123456789ab.tmp`, '{');
    await writeFile(join(dataDir, 'other.0123456789ab.tmp'), '');
    await start();
    expect(await readdir(dataDir)).toEqual(['other.0123456789ab.tmp']);
  });
});

describe('a secret that is sent to a server', () => {
  const OTHER = 'https://collector.example';

  it.each([
    ['models.token', 'models.endpoint', 'https://huggingface.co'],
    ['remote.apiKey', 'remote.baseUrl', 'https://api.example/v1'],
  ])('%s is for the server that it was set for, and withheld from any other', async (secret, address, at) => {
    const { settings } = await start();
    await settings.set({ changes: { [address]: at } });
    await settings.set({ changes: { [secret]: 'hf_secret-1' } });
    const used = async () => JSON.stringify((await start()).config).includes('hf_secret-1');
    expect(await used()).toBe(true);
    await settings.set({ changes: { [address]: `${at}/other/path` } });
    expect(await used()).toBe(true);

    await settings.set({ changes: { [address]: OTHER } });
    expect(await used()).toBe(false);
    const { isSet, withheld, said } = await shown(settings, secret);
    expect({ isSet, withheld }).toEqual({ isSet: true, withheld: expect.stringContaining(OTHER) });
    expect(said?.withheld?.key).toBe('settings.sentences');
    expect(settings.withheld()).toEqual([{ secret, origin: OTHER }]);
    expect(await settings.secrets()).toContain('hf_secret-1'); // still nothing that may leave this computer
    logged.length = 0;
    await start();
    expect(logged.join()).toContain(`${secret} was set for another server than ${OTHER}`);

    await settings.set({ changes: { [secret]: 'hf_secret-1' } });
    expect(await used()).toBe(true);
    expect(settings.withheld()).toEqual([]);
  });

  it.each([
    ['a file', '[models]\ntoken = "hf_secret-1"', {}],
    ['a variable', '', { HF_TOKEN: 'hf_secret-1' }],
  ])('of %s is for the server that stands beside it, not for one that was set in the app', async (_, toml, env) => {
    await writeFile(join(dataDir, 'quarry.toml'), toml);
    const { config, settings } = await start({ env });
    expect(config.models.token).toBe('hf_secret-1');
    await settings.set({ changes: { 'models.endpoint': OTHER } });
    expect((await start({ env })).config.models.token).toBeUndefined();
    expect(await settings.secrets()).toContain('hf_secret-1');
    const beside = { ...env, HF_ENDPOINT: OTHER };
    expect((await start({ env: beside })).config.models.token).toBe('hf_secret-1');
  });

  it('goes with an address that is set in the same change, and does not follow one that is set after it', async () => {
    const { settings } = await start();
    await settings.set({ changes: { 'remote.apiKey': 'key-1', 'remote.baseUrl': OTHER } });
    expect((await start()).config.remote.apiKey).toBe('key-1');
    await settings.set({ changes: { 'remote.baseUrl': null, 'remote.apiKey': 'key-2' } });
    await settings.set({ changes: { 'remote.baseUrl': OTHER } });
    expect((await start()).config.remote.apiKey).toBeUndefined();
  });
});

describe('an address with a password in it', () => {
  it.each(['models.endpoint', 'remote.baseUrl', 'clockUrl', 'publicUrl'])(
    'is refused as %s, and shown nowhere',
    async (path) => {
      const { settings } = await start();
      for (const address of ['https://me:pa55@word@a.example', 'http:me:pa55@a.example', 'https:/me:pa55/@a.example']) {
        const refused = await settings.set({ changes: { [path]: address } }).catch((error: unknown) => error);
        expect(refused).toMatchObject({ code: 'CONFIG_INVALID', field: path });
        expect(JSON.stringify(refused) + logged.join()).not.toContain('pa55');
      }
    },
  );
});
