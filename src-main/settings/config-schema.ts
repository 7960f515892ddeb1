import envPaths from 'env-paths';
import { z } from 'zod';
import { MAX_NODE_NAME_CHARS } from '../../src-preload/contract/limits.ts';
import { ROLES } from '../../src-preload/contract/node.ts';
import { type Saying, say } from '../../src-preload/contract/saying.ts';
import { DEFAULT_ALLOWANCE } from '../credits/books/allowance.ts';
import type { Tier } from '../credits/tiers.ts';
import { policySettings } from '../hardware/policy-settings.ts';
import { DEFAULT_REQUESTS_PER_MINUTE } from '../mesh/serving/admission.ts';
import { DEFAULT_LIMITS } from '../mesh/transport/limits.ts';

/** What a setting carries beside its type and default; `description` is for the documentation. */
export type SettingMeta = {
  description: string;
  /** What a value must be, as a noun phrase, where the type alone does not say it. */
  wanted?: Saying;
  /** Hidden wherever the configuration is shown. */
  secret?: boolean;
  /**
   * A path, or a list of them (`always`), or perhaps one (`maybe`, where a name may stand instead): a leading `~` and
   * relative parts are resolved, those of the file against the file's folder.
   */
  isPath?: 'always' | 'maybe';
  /** The command-line option that sets it. */
  flag?: string;
  /** A further environment variable, for those who know it from elsewhere. */
  env?: string;
  /** The default in words, where it depends on the machine. */
  shownDefault?: string;
};

const about = (description: string, more: Omit<SettingMeta, 'description'> = {}): SettingMeta => ({
  description,
  ...more,
});

/** Without a name or password: nothing sends them, and an address is shown where a secret never is. */
const url = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { username, password } = URL.parse(text) ?? {};
  return !username && !password;
});

/**
 * A mistyped address puts the password where nobody looks for one: after `postgres:` without slashes everything is the name
 * of the database, and a `/`, `#` or `?` in a password ends the host.
 */
function namesServer(text: string): boolean {
  const parsed = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null;
  if (!parsed) return false;
  const { hostname, pathname, searchParams, hash } = parsed;
  const orderly = !hash && !/[@:]/.test(pathname) && [...searchParams.keys()].every((key) => /^\w+$/.test(key));
  return orderly && Boolean(hostname || searchParams.get('host'));
}

const wantedUrl = say('settings.wanted.url');
const address = z
  .string()
  .regex(/^[^\s:]+:[1-9]\d{0,4}$/)
  .refine((text) => Number(text.split(':')[1]) <= 65_535);

const node = {
  dataDir: z
    .string()
    .min(1)
    .default(() => envPaths('quarry', { suffix: '' }).data)
    .meta(
      about('Folder of identity, ledger and models.', {
        isPath: 'always',
        flag: '--data',
        shownDefault: 'the system’s folder for application data',
      }),
    ),
  role: z
    .enum(ROLES)
    .default('miner')
    .meta(
      about('Serve others (miner), or only ask (client); validator: as a client for now; challenges come later.', {
        flag: '--role',
      }),
    ),
  nodeName: z
    .string()
    .min(1)
    .max(MAX_NODE_NAME_CHARS)
    .optional()
    .meta(
      about('What this computer is called on its own screens; others do not see it.', {
        shownDefault: 'the computer’s host name',
      }),
    ),
  mineOnStart: z
    .boolean()
    .default(true)
    .meta(
      about(
        'Whether a miner begins to serve the mesh as soon as it is started; in the desktop app, once the welcome is done.',
      ),
    ),
  logLevel: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .meta(about('How much is logged.')),
  bootstrap: z
    .array(address)
    .max(64)
    .default([])
    .meta(
      about('DHT nodes to meet the mesh through.', {
        wanted: say('settings.wanted.addresses'),
        flag: '--bootstrap',
        shownDefault: 'the public ones',
      }),
    ),
  database: z
    .url({ protocol: /^postgres(ql)?$/ })
    .max(1_024)
    .refine(namesServer)
    .optional()
    .meta(
      about('PostgreSQL server for what a validator keeps; several may share it.', {
        wanted: say('settings.wanted.database'),
        secret: true,
        flag: '--database',
        shownDefault: '`results.db` in the data folder',
      }),
    ),
  clockUrl: url.optional().meta(
    about('Server whose time `quarry doctor` compares the clock with when no peer can be asked.', {
      wanted: wantedUrl,
    }),
  ),
};

const server = {
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(7_070)
    .meta(about('Port of the API; 0 lets the system choose.', { flag: '--port' })),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .meta(about('Address that the API listens on; any but loopback needs `apiToken`.')),
  apiToken: z
    .string()
    .min(16)
    .max(512)
    .optional()
    .meta(about('Token that callers of the API must send, and people who open the screens.', { secret: true })),
  tlsCert: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta(about('Certificate (PEM file) to serve HTTPS with; wants `tlsKey` too.', { isPath: 'always' })),
  tlsKey: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta(about('Private key (PEM file) of `tlsCert`.', { isPath: 'always' })),
  publicUrl: url.optional().meta(
    about('Address at which a proxy in front serves this node, as in "https://quarry.example.org"; needs `apiToken`.', {
      wanted: wantedUrl,
    }),
  ),
};

const LANGUAGES = ['system', 'en', 'de'] as const;

const screens = {
  language: z.enum(LANGUAGES).default('system').meta(about('Language of the screens.')),
  showWelcome: z.boolean().default(true).meta(about('Whether the screens begin with the welcome for newcomers.')),
};

const desktop = {
  closeToTray: z
    .boolean()
    .default(true)
    .meta(about('Whether the desktop app goes on in the tray when its window is closed.')),
  startMinimised: z
    .boolean()
    .default(false)
    .meta(about('Whether the desktop app starts in the tray, without a window.')),
  notifications: z
    .boolean()
    .default(true)
    .meta(about('Whether the desktop app tells of achievements, finished downloads and trouble.')),
};

const inference = {
  backend: z
    .enum(['local', 'remote'])
    .default('local')
    .meta(about('Where models run: in Quarry’s own engine, or on the server named under `[remote]`.')),
  model: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta(
      about('Name of an installed model, or path of a .gguf file.', {
        isPath: 'maybe',
        flag: '--model',
        shownDefault: 'the one imported last, else the built-in one',
      }),
    ),
  gpuLayers: z
    .int()
    .min(-1)
    .max(10_000)
    .default(-1)
    .meta(about('Layers of the model on the GPU: −1 chooses what fits, 0 uses the CPU only.', { env: 'GPU_LAYERS' })),
  threads: z
    .int()
    .min(1)
    .max(1_024)
    .optional()
    .meta(about('CPU threads of the engine.', { shownDefault: 'physical cores − 1, at least 1' })),
  contextSize: z
    .int()
    .min(256)
    .max(10_000_000)
    .optional()
    .meta(
      about('Tokens that one request may use, prompt and answer together.', {
        shownDefault: '8192, or less where model or memory allow no more',
      }),
    ),
  parallel: z
    .int()
    .min(1)
    .max(256)
    .default(4)
    .meta(about('Requests that are decoded together; memory grows with `contextSize` × `parallel`.')),
};

const mesh = {
  name: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta(about('Mesh to join.', { flag: '--mesh-name', shownDefault: 'the public mesh' })),
  secret: z
    .string()
    .min(8)
    .max(256)
    .optional()
    .meta(about('Makes the mesh private: only nodes with the same name and secret meet.', { secret: true })),
};

const bytesPerSecond = z.int().min(1_024).max(100_000_000_000);

const models = {
  folder: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta(
      about('Folder of model files; on another drive, perhaps.', {
        isPath: 'always',
        shownDefault: '`models` in the data folder',
      }),
    ),
  endpoint: url.default('https://huggingface.co').meta(
    about('Where the catalogue’s models are fetched: Hugging Face, or a mirror with the same paths.', {
      wanted: wantedUrl,
      env: 'HF_ENDPOINT',
    }),
  ),
  token: z
    .string()
    .min(1)
    .max(1_024)
    .optional()
    .meta(about('Token for models that the endpoint gives only to those it knows.', { secret: true, env: 'HF_TOKEN' })),
  catalogues: z
    .array(z.string().min(1).max(4_096))
    .max(16)
    .default([])
    .meta(
      about('Further catalogue files; their entries replace those of the same name.', {
        wanted: say('settings.wanted.files'),
        isPath: 'always',
      }),
    ),
  downloadLimit: bytesPerSecond
    .optional()
    .meta(about('Bytes a second for all downloads together.', { shownDefault: 'no cap' })),
  fromPeers: z
    .boolean()
    .default(true)
    .meta(about('Whether model files are also fetched from other nodes of the mesh.')),
};

const sharing = {
  seed: z
    .boolean()
    .default(false)
    .meta(about('Whether every downloaded model of the catalogue is shared with other nodes.')),
  uploadLimit: bytesPerSecond.default(2_000_000).meta(about('Bytes a second for sharing models, all peers together.')),
  diskLimit: z.int().min(0).default(50_000_000_000).meta(about('Bytes on disk that shared copies of models may take.')),
  trustedSigners: z
    .array(z.string().regex(/^[0-9a-f]{64}$/))
    .max(1_000)
    .default([])
    .meta(
      about('Nodes whose word is enough for what a model’s name stands for.', {
        wanted: say('settings.wanted.nodeIds'),
      }),
    ),
};

const remote = {
  baseUrl: url
    .optional()
    .meta(
      about('OpenAI-compatible server (vLLM, llama-server, Ollama), up to and with its `/v1`.', { wanted: wantedUrl }),
    ),
  apiKey: z
    .string()
    .min(1)
    .max(1_024)
    .optional()
    .meta(about('Key that it wants.', { secret: true })),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta(about('Model to ask it for.', { shownDefault: 'the first that it lists' })),
};

const perMinute = (tier: Tier) =>
  z
    .int()
    .min(0)
    .max(1_000_000)
    .default(DEFAULT_REQUESTS_PER_MINUTE[tier])
    .meta(about(`Requests a minute from each client of the tier ${tier}.`));

const requestsPerMinute = {
  newcomer: perMinute('newcomer'),
  bronze: perMinute('bronze'),
  silver: perMinute('silver'),
  gold: perMinute('gold'),
  platinum: perMinute('platinum'),
  diamond: perMinute('diamond'),
  master: perMinute('master'),
} satisfies Record<Tier, z.ZodType>;

const credits = {
  grant: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(DEFAULT_ALLOWANCE.grant)
    .meta(about('Credits that a newcomer gets, here and on this node’s own book. Raise it on a mesh of friends.')),
  refill: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(DEFAULT_ALLOWANCE.refill)
    .meta(about('Credits added once a day to whoever has fewer than `grant`.')),
};

const limits = {
  connections: z
    .int()
    .min(1)
    .max(100_000)
    .default(DEFAULT_LIMITS.connections)
    .meta(about('Open mesh connections, in and out together.')),
  connectionsPerHost: z
    .int()
    .min(1)
    .max(100_000)
    .default(DEFAULT_LIMITS.connectionsPerHost)
    .meta(about('Open mesh connections with one host; this computer itself is exempt.')),
  framesPerSecond: z
    .int()
    .min(10)
    .max(1_000_000)
    .default(DEFAULT_LIMITS.framesPerSecond)
    .meta(about('Messages a second from one peer.')),
  bytesPerSecond: z
    .int()
    .min(65_536)
    .max(10_000_000_000)
    .default(DEFAULT_LIMITS.bytesPerSecond)
    .meta(about('Bytes a second from one peer.')),
  queueCapacity: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(64)
    .meta(about('Requests that may wait; fewer while the computer is busy.')),
  queuedPerClient: z.int().min(1).max(1_000_000).default(3).meta(about('Of those, how many may be one client’s.')),
  refuseWhenOverloaded: z
    .boolean()
    .default(true)
    .meta(about('Whether nothing is taken while other programs need nearly all of the CPU or the memory.')),
  requestsPerMinute: z.strictObject(requestsPerMinute),
};

/** Every setting of Quarry. Nested objects are the tables of the configuration file. */
export const configSchema = z.strictObject({
  ...node,
  ...server,
  ...inference,
  ...screens,
  desktop: z.strictObject(desktop),
  mesh: z.strictObject(mesh),
  models: z.strictObject(models),
  sharing: z.strictObject(sharing),
  remote: z.strictObject(remote),
  credits: z.strictObject(credits),
  limits: z.strictObject(limits),
  policy: z.strictObject(policySettings),
});

export type Config = z.infer<typeof configSchema>;
