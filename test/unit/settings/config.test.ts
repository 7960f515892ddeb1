import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfigSources, loadConfig } from '../../../src-main/settings/config.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';

const cwd = resolve('/work-folder');
const FILE = join(cwd, 'quarry.toml');

/** Loads with a configuration file of this text and no other influence. */
function load(toml: string, sources: ConfigSources = {}) {
  const readFile = (path: string) => (path === FILE ? toml : undefined);
  return loadConfig({ cwd, readFile, ...sources, flags: { configFile: 'quarry.toml', ...sources.flags } });
}

/** The error that loading ends with. */
function errorOf(action: () => unknown): QuarryError {
  try {
    action();
  } catch (error) {
    if (error instanceof QuarryError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

const nothing = { readFile: () => undefined };

describe('loadConfig, layers', () => {
  it('has a default for everything that needs one', () => {
    expect(loadConfig(nothing)).toMatchObject({
      role: 'miner',
      port: 7_070,
      host: '127.0.0.1',
      bootstrap: [],
      gpuLayers: -1,
      backend: 'local',
      mesh: {},
      limits: { connections: 128, requestsPerMinute: { newcomer: 6 } },
      policy: { onBattery: 'pause', userActive: 'throttle', heatAbove: 85, heatBelow: 75, quietHours: [] },
    });
  });

  it('lets each layer override the one before: defaults, file, environment, command line', () => {
    const toml = 'port = 1001\nthreads = 2\nmodel = "from-file"';
    const env = { QUARRY_PORT: '1002', QUARRY_THREADS: '3' };
    expect(load(toml)).toMatchObject({ port: 1_001, threads: 2, model: 'from-file', gpuLayers: -1 });
    expect(load(toml, { env })).toMatchObject({ port: 1_002, threads: 3, model: 'from-file' });
    expect(load(toml, { env, flags: { port: 1_003 } })).toMatchObject({ port: 1_003, threads: 3, model: 'from-file' });
  });

  it('takes the last layer that speaks, whichever do', () => {
    const port = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined });
    fc.assert(
      fc.property(port, port, port, (inFile, inEnv, onLine) => {
        const toml = inFile === undefined ? '' : `port = ${inFile}`;
        const env = inEnv === undefined ? {} : { QUARRY_PORT: String(inEnv) };
        expect(load(toml, { env, flags: { port: onLine } }).port).toBe(onLine ?? inEnv ?? inFile ?? 7_070);
      }),
    );
  });

  it('reads every kind of value from the environment', () => {
    const env = {
      QUARRY_MESH_NAME: 'ours',
      QUARRY_BOOTSTRAP: '10.0.0.1:4000, meet.example.org:5000',
      QUARRY_POLICY_HEAT_ABOVE: '90.5',
      QUARRY_LIMITS_REQUESTS_PER_MINUTE_GOLD: '7',
      QUARRY_POLICY_QUIET_HOURS: '22:00-07:00,12:00-13:00',
    };
    expect(loadConfig({ ...nothing, env })).toMatchObject({
      mesh: { name: 'ours' },
      bootstrap: ['10.0.0.1:4000', 'meet.example.org:5000'],
      policy: { heatAbove: 90.5, quietHours: ['22:00-07:00', '12:00-13:00'] },
      limits: { requestsPerMinute: { gold: 7 } },
    });
  });

  it('knows GPU_LAYERS, below its own name for it', () => {
    expect(loadConfig({ ...nothing, env: { GPU_LAYERS: '0' } }).gpuLayers).toBe(0);
    expect(loadConfig({ ...nothing, env: { GPU_LAYERS: '0', QUARRY_GPU_LAYERS: '12' } }).gpuLayers).toBe(12);
  });

  it('takes an empty variable as not set, and leaves those of other programs alone', () => {
    expect(loadConfig({ ...nothing, env: { QUARRY_PORT: '', PATH: '/bin', QUARRYMAN: 'x' } }).port).toBe(7_070);
  });

  it('takes --mesh-name and --bootstrap from the command line', () => {
    const flags = { 'mesh.name': 'ours', bootstrap: ['127.0.0.1:4000'] };
    expect(loadConfig({ ...nothing, flags })).toMatchObject({ mesh: { name: 'ours' }, bootstrap: ['127.0.0.1:4000'] });
  });
});

describe('loadConfig, files and paths', () => {
  it('reads quarry.toml of the data folder when no file is named', () => {
    const dataDir = join(cwd, 'data');
    const readFile = (path: string) => (path === join(dataDir, 'quarry.toml') ? 'port = 1234' : undefined);
    expect(loadConfig({ cwd, readFile, flags: { dataDir: 'data' } })).toMatchObject({ port: 1_234, dataDir });
    expect(loadConfig({ cwd, readFile, env: { QUARRY_DATA_DIR: dataDir } }).port).toBe(1_234);
  });

  it('reads the file that QUARRY_CONFIG names', () => {
    const readFile = (path: string) => (path === join(cwd, 'mine.toml') ? 'port = 1234' : undefined);
    expect(loadConfig({ cwd, readFile, env: { QUARRY_CONFIG: 'mine.toml' } }).port).toBe(1_234);
  });

  it('refuses to go on without a file that was named', () => {
    const error = errorOf(() => loadConfig({ cwd, readFile: () => undefined, flags: { configFile: 'gone.toml' } }));
    expect(error.message).toContain(join(cwd, 'gone.toml'));
  });

  it('resolves a path in the file against the file, others against the current folder', () => {
    const other = join(resolve('/elsewhere'), 'quarry.toml');
    const sources = { cwd, readFile: () => 'dataDir = "here"\nmodel = "./m.gguf"', flags: { configFile: other } };
    expect(loadConfig(sources)).toMatchObject({
      dataDir: resolve('/elsewhere/here'),
      model: resolve('/elsewhere/m.gguf'),
    });
    expect(loadConfig({ ...nothing, cwd, flags: { dataDir: 'x', model: 'y.gguf' } })).toMatchObject({
      dataDir: join(cwd, 'x'),
      model: join(cwd, 'y.gguf'),
    });
  });

  it('resolves every path of a list, and a folder that is a bare name', () => {
    const { models } = load('[models]\nfolder = "big"\ncatalogues = ["a.json", "sub/b.json"]');
    expect(models).toMatchObject({
      folder: join(cwd, 'big'),
      catalogues: [join(cwd, 'a.json'), join(cwd, 'sub', 'b.json')],
    });
  });

  it('reads switches from the file and from the environment', () => {
    expect(load('[sharing]\nseed = true').sharing.seed).toBe(true);
    expect(load('', { env: { QUARRY_SHARING_SEED: 'true', QUARRY_MODELS_FROM_PEERS: 'false' } })).toMatchObject({
      sharing: { seed: true },
      models: { fromPeers: false },
    });
    const error = errorOf(() => load('', { env: { QUARRY_SHARING_SEED: 'yes' } }));
    expect(error.message).toBe(
      'QUARRY_SHARING_SEED: sharing.seed must be one of true, false, but it is the text "yes".',
    );
  });

  it('leaves the name of a model a name', () => {
    expect(loadConfig({ ...nothing, flags: { model: 'qwen3-4b' } }).model).toBe('qwen3-4b');
  });

  it('knows ~ as the home folder', () => {
    const { dataDir } = loadConfig({ ...nothing, env: { QUARRY_DATA_DIR: '~/quarry' } });
    expect(dataDir).not.toContain('~');
    expect(dataDir).toMatch(/quarry$/);
  });
});

describe('loadConfig, errors', () => {
  it.each([
    ['port = "7071"', `${FILE}: port must be a whole number from 0 to 65535, but it is the text "7071".`],
    ['port = 70000', `${FILE}: port must be a whole number from 0 to 65535, but it is the number 70000.`],
    ['threads = 1.5', `${FILE}: threads must be a whole number from 1 to 1024, but it is the number 1.5.`],
    ['threads = true', `${FILE}: threads must be a whole number from 1 to 1024, but it is the value true.`],
    ['role = "minor"', `${FILE}: role must be one of "miner", "client", "validator", but it is the text "minor".`],
    ['host = [1]', `${FILE}: host must be a host name or an IP address, but it is a list of 1.`],
    ['mesh = "ours"', `${FILE}: mesh must be a table ([mesh]).`],
    [
      'bootstrap = ["meet:1", "meet"]',
      `${FILE}: bootstrap must be a list of addresses like "192.168.1.5:49737", but it holds the text "meet".`,
    ],
    [
      'policy.quietHours = ["22-7"]',
      `${FILE}: policy.quietHours must be a list of times like "22:00-07:00", but it holds the text "22-7".`,
    ],
    [
      'remote.baseUrl = "ftp://x"',
      `${FILE}: remote.baseUrl must be a web address that begins with http:// or https://, without a name or password, but it is the text "ftp://x".`,
    ],
    ['port = 7071\nhost = "a', `${FILE}, line 2, column 8: Invalid TOML document: unfinished string.`],
  ])('in the file: %s', (toml, message) => {
    expect(errorOf(() => load(toml))).toMatchObject({ code: 'CONFIG_INVALID', message });
  });

  it.each([
    ['prot = 1', 'prot', 'port'],
    ['gpu_layers = 1', 'gpu_layers', 'gpuLayers'],
    ['[mesh]\nnam = "x"', 'mesh.nam', 'mesh.name'],
    ['secret = "12345678"', 'secret', 'mesh.secret'],
    ['[polcy]\nheat = "off"', 'polcy', 'policy'],
    ['[limits.requestsPerMinute]\nsliver = 1', 'limits.requestsPerMinute.sliver', 'limits.requestsPerMinute.silver'],
  ])('names the nearest known key: %s', (toml, unknown, meant) => {
    const error = errorOf(() => load(toml));
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', field: unknown });
    expect(error.message).toContain(`${FILE}: there is no setting «${unknown}»; did you mean «${meant}`);
  });

  it.each([
    ['nosuch = 1', 'nosuch'],
    ['__proto__ = 1', '__proto__'],
  ])('names none where none is near: %s', (toml, unknown) => {
    expect(errorOf(() => load(toml)).message).toBe(`${FILE}: there is no setting «${unknown}».`);
    expect(errorOf(() => loadConfig({ ...nothing, env: { QUARRY_NONSENSE_OF_MINE: '1' } })).message).toBe(
      'There is no environment variable QUARRY_NONSENSE_OF_MINE.',
    );
  });

  it('names the variable, and the nearest known one', () => {
    expect(errorOf(() => loadConfig({ ...nothing, env: { QUARRY_PORT: 'x' } })).message).toBe(
      'QUARRY_PORT: port must be a whole number from 0 to 65535, but it is the text "x".',
    );
    expect(errorOf(() => loadConfig({ ...nothing, env: { QUARRY_TREADS: '1' } })).message).toBe(
      'There is no environment variable QUARRY_TREADS; did you mean QUARRY_THREADS?',
    );
  });

  it('leaves what the tests and the measurements are told alone', () => {
    const env = { QUARRY_TEST_ROUNDS: '40', QUARRY_BENCH_LOG: 'debug' };
    expect(loadConfig({ ...nothing, env })).toEqual(loadConfig(nothing));
  });

  it('names the option', () => {
    const error = errorOf(() => loadConfig({ ...nothing, flags: { bootstrap: ['nowhere'] } }));
    expect(error.message).toMatch(/^--bootstrap: bootstrap must be a list .* holds the text "nowhere"\.$/);
  });

  it.each([
    'apiToken = "secret-word"',
    'database = "mysql://me:secret-word@host/db"',
    'database = "postgres://me:secret-word@host:wrong/db"',
    'database = "postgres:me:secret-word@127.0.0.1/db"',
    'database = "postgres:/me:secret-word@127.0.0.1/db"',
    'database = "postgres:///me:secret-word@127.0.0.1/db"',
    'database = "postgres:///db"',
    'database = "postgres://me:12/secret-word@127.0.0.1/db"',
    'database = "postgres://me:12#secret-word@127.0.0.1/db"',
    'database = "postgres://me:12?secret-word@127.0.0.1/db"',
    'mesh.secret = "s3cret"',
    'apiToken = "secret-word',
    'remote.apiKey = ["s3cret"]',
  ])('never repeats a secret: %s', (toml) => {
    expect(JSON.stringify(errorOf(() => load(toml)))).not.toMatch(/secret-word|s3cret/);
  });

  it.each([
    'postgres://me:word@127.0.0.1:5432/db',
    'postgresql://db.example.org/db?sslmode=verify-full',
    'postgres:///db?host=/run/postgresql',
    'postgres://me%40corp:p%2Fw@h/db?user=me@corp',
  ])('takes a database server: %s', (url) => {
    expect(load(`database = "${url}"`).database).toBe(url);
  });

  it('asks for the address of a remote server', () => {
    expect(errorOf(() => load('backend = "remote"'))).toMatchObject({ field: 'remote.baseUrl' });
    expect(load('backend = "remote"\nremote.baseUrl = "http://127.0.0.1:8000/v1"').backend).toBe('remote');
  });

  it.each([
    ['127.0.0.1', true],
    ['127.1.2.3', true],
    ['localhost', true],
    ['::1', true],
    ['LocalHost', true],
    ['127.999.0.1', false],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.5', false],
    ['127.0.0.1.example.org', false],
  ])('wants a token for any address but loopback: %s', (host, loopback) => {
    const toml = `host = "${host}"`;
    if (loopback) expect(load(toml).host).toBe(host);
    else expect(errorOf(() => load(toml))).toMatchObject({ field: 'apiToken' });
    expect(load(`${toml}\napiToken = "0123456789abcdef"`).host).toBe(host);
  });

  it('refuses a heat rule that would switch on and off', () => {
    expect(errorOf(() => load('policy.heatAbove = 70'))).toMatchObject({ field: 'policy.heatBelow' });
  });

  it('never breaks without a name, whatever the file holds', () => {
    const piece = fc.constantFrom('port', 'mesh', '=', '[', ']', '"', '1', '.', '\n', '{', '}', ',', 'true', 'x');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        try {
          load(pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(QuarryError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
