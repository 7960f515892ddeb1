import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * The rules of the house (docs/architecture.md) held by a test. A folder of src-main imports only what stands to the right
 * of its name; `base` and `process` are for everybody above them.
 */
const MAY_IMPORT: Record<string, string[]> = {
  cli: [],
  bench: [],
  app: [],
  desktop: ['app', 'settings', 'mining', 'server', 'credits', 'models', 'process', 'base'],
  // And of every domain its section, a file `…-settings.ts`: see SECTION.
  settings: ['base'],
  learning: ['gguf', 'store', 'base', 'inference', 'sandbox', 'validation', 'process'],
  focus: ['store', 'process', 'base'],
  subnets: ['clips', 'sandbox', 'validation', 'bittensor', 'inference', 'store', 'http', 'process', 'base'],
  clips: ['models', 'inference', 'store', 'process', 'base'],
  sandbox: ['process', 'base'],
  validation: ['store', 'base'],
  mining: ['mesh', 'credits', 'hardware', 'models', 'inference', 'base'],
  server: ['inference', 'store', 'http', 'base'],
  backup: ['mesh', 'store', 'process', 'base'],
  conversations: ['store', 'base'],
  bittensor: ['store', 'http', 'process', 'base'],
  diagnostics: ['base'],
  mesh: ['credits', 'hardware', 'models', 'inference', 'store', 'base'],
  credits: ['store', 'base'],
  hardware: ['inference', 'base'],
  models: ['inference', 'gguf', 'store', 'base'],
  inference: ['gguf', 'process', 'base'],
  gguf: ['base'],
  store: ['base'],
  client: ['base'],
  http: ['base'],
  process: ['base'],
  base: [],
};

/** A domain's settings. The room of settings composes them, and sees nothing else of a domain. */
const SECTION = /-settings\.ts$/;

/** What a domain may import that is not named above: most need no more. */
const USUAL = ['store', 'base'];

/** These compose: they may use every domain, whether or not they do today. */
const COMPOSERS = ['app', 'cli', 'bench'];
/** Nobody but the commands opens what a composer composes. */
const ABOVE: Record<string, string[]> = { cli: ['app'], bench: [], app: [] };

/** Rooms of a node's parts: whoever composes them, or gives them to the contract, may use all. */
const PART_ROOMS = [
  'bittensor',
  'competition',
  'data',
  'focus',
  'inference',
  'learning',
  'mesh',
  'node',
  'validator',
].map((room) => `parts/${room}`);

/** Rooms inside a domain: which imports which. '.' is the domain's own folder. A domain without rooms is not named. */
const ROOMS: Record<string, Record<string, string[]>> = {
  app: {
    '.': [...PART_ROOMS, 'host', 'node', 'parts', 'routes'],
    demo: ['.', 'parts', 'parts/mesh'],
    signer: ['host'],
    'market-demo': [],
    routes: [...PART_ROOMS, 'host', 'models', 'parts'],
    parts: ['engine', 'host', 'models', 'node'],
    'parts/bittensor': ['parts', 'parts/mesh'],
    'parts/competition': ['validator', 'parts', 'parts/bittensor', 'parts/validator'],
    'parts/data': ['models', 'parts'],
    'parts/focus': ['engine', 'focus', 'host', 'market', 'market-demo', 'parts', 'parts/bittensor'],
    'parts/inference': [
      ...['engine', 'evaluation', 'evaluation/examinees', 'evaluation/files', 'models', 'optimiser', 'validator'],
      ...['parts', 'parts/bittensor', 'parts/mesh'],
    ],
    'parts/learning': ['learning', 'parts', 'parts/mesh'],
    'parts/mesh': ['engine', 'models', 'node', 'parts'],
    'parts/node': [
      'host',
      'node',
      'parts',
      'parts/data',
      'parts/focus',
      'parts/inference',
      'parts/learning',
      'parts/mesh',
    ],
    'parts/validator': ['validator', 'parts', 'parts/bittensor', 'parts/inference', 'parts/mesh'],
    focus: [],
    validator: ['validator/miners'],
    'validator/miners': [],
    node: ['models'],
    engine: [],
    models: [],
    market: ['focus'],
    learning: ['engine', 'host'],
    evaluation: ['evaluation/examinees'],
    'evaluation/examinees': ['validator/miners'],
    'evaluation/files': [],
    optimiser: ['evaluation/examinees'],
    host: [],
  },
  cli: {
    '.': [
      'bittensor',
      'chat',
      'competition',
      'data',
      'evaluation',
      'focus',
      'kernel',
      'learning',
      'models',
      'node',
      'optimiser',
      'terminal',
      'validator',
    ],
    bittensor: ['terminal'],
    chat: ['terminal'],
    competition: ['terminal'],
    data: ['terminal'],
    evaluation: ['terminal'],
    focus: ['market', 'terminal'],
    kernel: ['terminal'],
    learning: ['terminal'],
    market: ['bittensor', 'terminal'],
    models: ['terminal'],
    node: ['terminal'],
    optimiser: ['evaluation', 'terminal'],
    validator: ['bittensor', 'terminal'],
    terminal: [],
  },
  bench: {
    swarm: ['.'],
    sharing: ['.'],
    axon: ['.'],
    competition: ['.'],
    data: ['.'],
    learning: ['made-models', '.'],
    evaluation: ['made-models', '.'],
    inference: ['made-models', '.'],
    '.': ['made-models', 'hostile'],
    hostile: [],
    'made-models': [],
  },
  desktop: { '.': ['child', 'guards', 'shell'], shell: ['guards'], guards: [], child: ['guards'] },
  mesh: {
    '.': ['asking', 'fleet', 'inference', 'scores', 'sharing', 'transport', 'transport/guards'],
    serving: ['inference', 'serving/queue', 'transport', 'transport/guards'],
    'serving/queue': ['inference', 'transport'],
    asking: ['inference', 'transport'],
    audits: ['asking', 'inference', 'transport'],
    inference: ['transport'],
    scores: ['transport'],
    sharing: ['transport'],
    fleet: ['transport'],
    transport: ['transport/guards'],
    'transport/guards': [],
  },
  models: { '.': [], library: ['.'], catalogue: ['.'], downloads: ['.'], hub: ['downloads', 'fit', '.'], fit: [] },
  inference: {
    ...{
      host: ['.', 'tools'],
      child: ['child/loop', 'child/grammar', 'child/kept-prompts', 'child/drafting', '.', 'tools', 'verified'],
      remote: ['.', 'tools'],
    },
    ...{ 'child/loop': ['child/kept-prompts', 'child/drafting', '.', 'verified'] },
    ...{ 'child/grammar': [], 'child/kept-prompts': [], 'child/drafting': [] },
    ...{ tools: ['.'], verified: ['.'], '.': [] },
  },
  conversations: { '.': ['tools'], tools: [] },
  focus: {
    library: ['recording', 'media', '.'],
    media: ['media/codec', 'recording', '.'],
    'media/codec': ['.'],
    recording: ['.'],
    tasks: [],
    consent: [],
    '.': [],
  },
  clips: {
    '.': ['dataset', 'models', 'sources'],
    sources: [],
    media: [],
    models: ['models/files', 'models/speech', 'models/vectors', 'media'],
    'models/vectors': ['models/files', 'media'],
    'models/speech': ['models/files', 'media'],
    'models/files': ['media'],
    kept: ['media', 'sources'],
    mining: ['kept', 'media', 'models', 'reading', 'sources'],
    reading: ['media', 'models', 'sources'],
    library: ['index', 'kept', 'media', 'models', 'reading'],
    calibration: ['kept', 'media', 'models', 'models/files', 'reading'],
    transcription: ['media', 'models'],
    index: [],
    dataset: ['dataset/shards', 'dataset/upload', 'media', 'models', 'sources'],
    'dataset/shards': [],
    'dataset/upload': ['dataset/shards'],
  },
  learning: {
    '.': ['formats'],
    runs: [
      'evaluation/gate',
      'evaluation/harness',
      'evaluation/measures',
      'evaluation/probes',
      'evaluation/prompts',
      'evaluation/verifiers',
      'feedback',
      'formats',
      'training',
      'training/remote',
      '.',
    ],
    feedback: ['.'],
    'evaluation/verifiers': ['.'],
    'evaluation/prompts': ['evaluation/measures', 'evaluation/verifiers'],
    'evaluation/probes': ['evaluation/verifiers'],
    'evaluation/measures': ['evaluation/probes', 'evaluation/verifiers', '.'],
    'evaluation/harness': [
      'evaluation/gate',
      'evaluation/measures',
      'evaluation/probes',
      'evaluation/prompts',
      'evaluation/verifiers',
      '.',
    ],
    'evaluation/plots': ['evaluation/harness', 'evaluation/measures'],
    'evaluation/gate': ['evaluation/measures', 'evaluation/probes', 'evaluation/verifiers'],
    adapters: ['formats', 'training/adapter'],
    'training/child': ['formats', 'training', 'training/adapter', 'training/page'],
    'training/page': ['formats', 'training', 'training/adapter', 'training/model'],
    'training/remote': ['formats', 'training'],
    training: ['formats', 'training/adapter', 'training/loss', 'training/model'],
    'training/adapter': ['formats'],
    'training/loss': [],
    'training/model': ['formats'],
    'training/torch': ['formats', 'training', 'training/model'],
    trainers: ['runs', 'training', 'training/remote', 'training/torch'],
    formats: [],
  },
  validation: { scoring: [], run: ['.'], datasets: ['.'], '.': ['scoring'] },
  subnets: {
    '.': [],
    affine: ['affine/abd', 'affine/ded', 'affine/elr', 'affine/hvm', 'affine/sat'],
    'affine/abd': ['affine/programs'],
    'affine/ded': ['affine/programs'],
    'affine/programs': [],
    'affine/elr': [],
    'affine/hvm': [],
    'affine/sat': [],
    'quasar/code': ['quasar/code/text', 'quasar/code/topics'],
    'quasar/code/text': [],
    'quasar/code/topics': ['quasar/code/text'],
    'quasar/asking': ['quasar/metrics', 'quasar/reward', 'quasar/tasks', 'quasar/tasks/made'],
    'quasar/synapse': ['quasar/asking', 'quasar/verification'],
    'quasar/verification': [],
    'quasar/evaluation': [
      ...['quasar/metrics', 'quasar/reward'],
      ...['quasar/tasks', 'quasar/tasks/made', 'quasar/tasks/published'],
    ],
    'quasar/competition': ['quasar/competition/rules'],
    'quasar/competition/client': [
      ...['quasar/competition/rules', 'quasar/competition/verifying', 'quasar/competition'],
    ],
    'quasar/competition/rules': [],
    'quasar/competition/server': ['quasar/competition/rules', 'quasar/competition'],
    'quasar/competition/verifying': ['quasar/competition/rules', 'quasar/competition'],
    'quasar/gpu': ['quasar/competition/rules', 'quasar/kernels'],
    'quasar/kernels': [],
    'quasar/optimiser': ['quasar/kernels', 'quasar/optimiser/compile'],
    'quasar/optimiser/compile': [],
    'quasar/metrics': [],
    'quasar/reward': [],
    'quasar/tasks': ['quasar/metrics'],
    'quasar/tasks/published': ['quasar/metrics', 'quasar/tasks'],
    'quasar/tasks/made': ['quasar/tasks/made/execution', 'quasar/tasks/made/text', 'quasar/tasks'],
    'quasar/tasks/made/execution': ['quasar/tasks/made/text', 'quasar/tasks'],
    'quasar/tasks/made/text': [],
    'omega/clips/answering': ['omega/clips/rules', 'omega/clips/synapse'],
    'omega/clips/checking': ['omega/clips/rules', 'omega/clips/sound', 'omega/clips/synapse'],
    'omega/clips/rules': ['omega/clips/sound'],
    'omega/clips/sound': [],
    'omega/clips/synapse': [],
    'omega/focus': ['omega/focus/model', 'omega/focus/rules'],
    'omega/focus/model': ['omega/focus/rules'],
    'omega/focus/rules': [],
    'omega/market': ['omega/focus'],
    'omega/market/client': ['omega/market', 'omega/focus'],
    'omega/market/client/buying': ['omega/market/client', 'omega/market'],
    'omega/market/client/selling': ['omega/market/client', 'omega/market', 'omega/focus'],
    'omega/market/client/desk': [
      'omega/market/client/buying',
      'omega/market/client/selling',
      'omega/market/client',
      'omega/market',
    ],
    'omega/market/rules': [],
    'omega/market/server': ['omega/focus/rules', 'omega/market/rules', 'omega/market', 'omega/focus'],
  },
  bittensor: {
    axon: ['synapse', '.'],
    calls: ['calls/actions', 'chain', 'wallet', '.'],
    'calls/actions': ['chain', 'synapse', 'wallet', '.'],
    chain: ['.'],
    dendrite: ['synapse', '.'],
    'signed-requests': ['axon'],
    'signer-service': ['chain', 'weights', '.'],
    synapse: ['.'],
    views: ['chain', 'wallet', '.'],
    wallet: ['.'],
    weights: ['chain'],
    '.': [],
  },
  server: {
    '.': [
      ...['openai', 'openai/responses', 'learning', 'probing', 'transcription', 'access', 'rpc', 'screens', 'failures'],
    ],
    learning: ['openai', 'failures'],
    probing: ['openai'],
    transcription: ['openai', 'failures'],
    rpc: ['access', 'failures'],
    access: ['failures'],
    screens: [],
    openai: ['failures'],
    'openai/responses': ['openai', 'failures'],
    failures: [],
  },

  credits: {
    ledger: ['audit', 'books', 'standing', 'score', '.'],
    earning: ['ledger', 'score', '.'],
    audit: ['books', 'score', '.'],
    books: ['standing', 'score', '.'],
    standing: ['.'],
    score: ['.'],
    '.': [],
  },
  gguf: { weights: ['.'], '.': [] },
  hardware: { doctor: ['.'], '.': [] },
  store: {
    bittensor: ['.'],
    clips: ['.'],
    conversations: ['.'],
    credits: ['.'],
    focus: ['.'],
    learning: ['.'],
    market: ['bittensor', '.'],
    mesh: ['.'],
    competition: ['.'],
    results: ['competition', '.'],
    '.': [],
  },
};

/** It makes one type and one order of all tables, whichever room of `store` they are in; those take the type from it. */
const ALL_TABLES = join('src-main', 'store', 'database.ts');

/** Folders in which none has more than 20 files beside each other. */
const ROOMY = [
  'src-renderer/pages',
  'src-renderer/components',
  'src-main/cli',
  'src-main/bench',
  'src-main/mesh/transport',
  'src-main/store',
  'src-main/app/parts',
];

/** Rooms that are nobody else's business, with the few files and folders outside their domain that may import them all the same. */
const PRIVATE: Record<string, string[]> = {
  // It runs in the engine's process; made models spell their tokens by the engine's alphabet, and the raw loop does no more than the engine must.
  'inference/child': ['bench/made-models', 'bench/inference'],
  'desktop/shell': ['index.ts'],
  'desktop/guards': ['index.ts'],
  'desktop/child': [],
  // What a proof costs is measured on a ledger that was never proven.
  'credits/audit': ['bench'],
  'server/access': [],
  'server/failures': [],
  // The window is served the same pages and frames as a browser.
  'server/screens': ['desktop/guards'],
  'server/rpc': ['desktop/guards'],
  'mesh/scores': ['app'],
  'mesh/fleet': ['app'],
  'models/catalogue': ['app'],
  // What is estimated is measured beside what is taken.
  'models/fit': ['app', 'bench'],
  'models/hub': ['app'],
  'inference/remote': ['app', 'clips/models'],
  // Whoever judges clips asks the same models, and knows nothing of how this node makes, keeps and publishes its own.
  'clips/calibration': ['app'],
  'clips/transcription': ['app'],
  'clips/dataset': ['app'],
  'clips/kept': ['app', 'bench'],
  'clips/library': ['app'],
  'clips/mining': ['app', 'bench'],
  'store/results': ['app', 'bench', 'subnets', 'validation'],
  'app/routes': [],
  'app/parts': [],
  'app/models': [],
};

/** Folders of the screens: which imports which. '.' is the entry. The pages are one room here, and apart from each other. */
const SCREEN_ROOMS: Record<string, string[]> = {
  '.': ['app', 'api', 'i18n'],
  app: ['pages', 'components', 'state', 'api', 'i18n'],
  pages: ['components', 'state', 'api', 'i18n'],
  components: ['state', 'api', 'i18n'],
  state: ['api'],
  api: ['i18n'],
  i18n: [],
};

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const mainRoot = join(root, 'src-main');
const contractRoot = join(root, 'src-preload', 'contract');
const screensRoot = join(root, 'src-renderer');

/** The folders of src-main. */
const folders = readdirSync(mainRoot, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

interface Import {
  file: string;
  specifier: string;
  /** Folder of src-main that the file lives in; '' for its top level. */
  from: string;
  /** Folder of src-main that is imported; undefined for packages and the contract. */
  to: string | undefined;
  /** The rooms of the two, by their folders under the top one; '.' for the domain's own. */
  rooms: { from: string; to: string };
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function topFolder(file: string): string {
  const [first = '', ...rest] = relative(mainRoot, file).split(sep);
  return rest.length > 0 ? first : '';
}

function roomOf(file: string): string {
  const [, ...rest] = relative(mainRoot, dirname(file)).split(sep);
  return rest.join('/') || '.';
}

function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
  return specifiers.map((specifier) => {
    const target = specifier.startsWith('.') ? resolve(dirname(file), specifier) : undefined;
    const inside = target?.startsWith(mainRoot + sep) ?? false;
    return {
      file: relative(root, file),
      specifier,
      from: topFolder(file),
      to: inside && target ? topFolder(target) : undefined,
      rooms: { from: roomOf(file), to: target ? roomOf(target) : '.' },
    };
  });
}

function mayImport(folder: string): string[] {
  if (folder === 'settings') return [...(MAY_IMPORT.settings ?? []), ...domainsWithSection];
  if (!COMPOSERS.includes(folder)) return MAY_IMPORT[folder] ?? USUAL;
  const domains = folders.filter((one) => !COMPOSERS.includes(one) && one !== 'desktop');
  return [...domains, ...(ABOVE[folder] ?? [])];
}

/** Of what a file imports more than types: files by their absolute paths, packages by their names. */
function valuesOf(file: string): string[] {
  const values = readFileSync(file, 'utf8').replaceAll(/^import type [^;]*;/gm, '');
  const specifiers = [...values.matchAll(/\b(?:from|import)\s*\(?\s*'([^'\s]+)'/g)].map(
    ([, specifier = '']) => specifier,
  );
  return specifiers.map((specifier) => (specifier.startsWith('.') ? resolve(dirname(file), specifier) : specifier));
}

/** Whether a file needs no package, nor does any that it needs. */
function isPlain(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return true;
  seen.add(file);
  return valuesOf(file).every((target) => isAbsolute(target) && isPlain(target, seen));
}

/** Circles of a graph, each found once: by walking down from every file and looking for one that is on the way already. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, way: string[]): void => {
    if (way.includes(file)) circles.push(way.slice(way.indexOf(file)));
    if (way.includes(file) || done.has(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return circles;
}

/** Bytes. The built-in model is the largest file there is. */
const LARGEST_FILE = 1_500_000;

const mainImports = sourceFiles(mainRoot).flatMap(importsOf);
const domainsWithSection = folders.filter(
  (folder) => folder !== 'settings' && sourceFiles(join(mainRoot, folder)).some((file) => SECTION.test(file)),
);
const show = (found: Import[]) => found.map(({ file, specifier }) => `${file} imports ${specifier}`);

describe('the house', () => {
  it.each(ROOMY)('%s has rooms: nowhere in it are more than 20 files beside each other', (folder) => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true, recursive: true });
    const counts = new Map<string, number>();
    for (const each of entries) if (each.isFile()) counts.set(each.parentPath, (counts.get(each.parentPath) ?? 0) + 1);
    expect([...counts].filter(([, files]) => files > 20)).toEqual([]);
  });

  it('keeps no large files in its history: what is built or downloaded has no place there', ({ skip }) => {
    if (!existsSync(join(root, '.git'))) skip('this is no checkout');
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean);
    const isLarge = (file: string) => (statSync(join(root, file), { throwIfNoEntry: false })?.size ?? 0) > LARGEST_FILE;
    expect(tracked.filter(isLarge)).toEqual([]);
  });

  it('has no room that the rules do not know', () => {
    const unknown = mainImports.filter(
      ({ from, rooms }) => from && !(rooms.from in (ROOMS[from] ?? {}) || (!ROOMS[from] && rooms.from === '.')),
    );
    expect(show(unknown)).toEqual([]);
  });

  it('lets imports point down only', () => {
    const wrong = mainImports.filter(
      ({ from, to }) => from && to !== undefined && to !== from && !mayImport(from).includes(to),
    );
    // `quarry bench` is the one command that opens the bench folder.
    expect(
      show(wrong.filter(({ file, to }) => !(to === 'bench' && file === join('src-main', 'cli', 'bench.ts')))),
    ).toEqual([]);
  });

  it('lets the settings see nothing of a domain but its section', () => {
    const wrong = mainImports.filter(
      ({ from, to, specifier }) =>
        from === 'settings' && to !== undefined && !['settings', 'base'].includes(to) && !SECTION.test(specifier),
    );
    expect(show(wrong)).toEqual([]);
  });

  it('lets the rooms of a domain import downwards only', () => {
    const wrong = mainImports.filter(
      ({ from, to, rooms }) =>
        from && from === to && rooms.from !== rooms.to && !ROOMS[from]?.[rooms.from]?.includes(rooms.to),
    );
    expect(show(wrong.filter(({ file }) => file !== ALL_TABLES))).toEqual([]);
  });

  it('lets the transport know no network: the next one needs nothing of it', () => {
    const inTransport = ({ from, rooms }: Import) => from === 'mesh' && /^transport(\/|$)/.test(rooms.from);
    const domains = mainImports.filter(({ to }) => to !== undefined && !['mesh', 'store', 'base'].includes(to));
    expect(show(domains.filter(inTransport))).toEqual([]);
    const names = sourceFiles(join(mainRoot, 'mesh', 'transport')).filter((file) =>
      readFileSync(file, 'utf8').includes('qmesh-'),
    );
    expect(names).toEqual([]);
  });

  it('keeps private rooms private', () => {
    const inside = (path: string, room: string) => path === room || path.startsWith(`${room}/`);
    const wrong = mainImports.filter(({ file, specifier }) => {
      const target = relative(mainRoot, resolve(root, dirname(file), specifier)).replaceAll(sep, '/');
      const from = relative('src-main', file).replaceAll(sep, '/');
      const room = specifier.startsWith('.') && Object.keys(PRIVATE).find((one) => inside(target, one));
      if (!room || inside(from, dirname(room))) return false;
      return !PRIVATE[room]?.some((guest) => inside(from, guest));
    });
    expect(show(wrong)).toEqual([]);
  });

  it('has no circle of rooms', () => {
    const houses = [...Object.values(ROOMS), SCREEN_ROOMS].map((rooms) => new Map(Object.entries(rooms)));
    expect(houses.flatMap(circlesOf)).toEqual([]);
  });

  it('has no circle of folders', () => {
    const down = (folder: string, seen: string[]): string[] =>
      seen.includes(folder) ? [folder] : mayImport(folder).flatMap((next) => down(next, [...seen, folder]));
    const domains = folders.filter((folder) => !COMPOSERS.includes(folder));
    expect(domains.filter((folder) => mayImport(folder).some((next) => down(next, [folder]).includes(folder)))).toEqual(
      [],
    );
  });

  it('has no files that import each other in a circle, types aside', () => {
    const files = [mainRoot, contractRoot, screensRoot].flatMap(sourceFiles);
    const imported = new Map(files.map((file) => [file, valuesOf(file).filter((target) => files.includes(target))]));
    expect(circlesOf(imported).map((circle) => circle.map((file) => relative(root, file)))).toEqual([]);
  });

  it('allows a domain no import that it does not need', () => {
    const unused = Object.entries(MAY_IMPORT)
      .filter(([from]) => !COMPOSERS.includes(from))
      .flatMap(([from, allowed]) => allowed.map((to) => ({ from, to })))
      .filter((arrow) => !mainImports.some(({ from, to }) => from === arrow.from && to === arrow.to));
    expect(unused).toEqual([]);
  });

  it('allows a room no import that it does not need', () => {
    const unused = Object.entries(ROOMS).flatMap(([domain, rooms]) =>
      Object.entries(rooms)
        .flatMap(([from, allowed]) => allowed.map((to) => ({ from, to })))
        .filter(
          (arrow) =>
            !mainImports.some(
              ({ from, to, rooms }) =>
                from === domain && to === domain && rooms.from === arrow.from && rooms.to === arrow.to,
            ),
        ),
    );
    expect(unused).toEqual([]);
  });

  it('looks as docs/architecture.md draws it: every folder once, and every import goes down', () => {
    const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
    const picture = /## The rooms[\s\S]*?```\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    const floors = picture.split('\n').map((line) => [...line.matchAll(/([\w-]+)\//g)].map(([, name = '']) => name));
    const floorOf = (folder: string) => floors.findIndex((floor) => floor.includes(folder));
    expect(floors.flat().sort()).toEqual(Object.keys(MAY_IMPORT).sort());
    const rows = [...page.matchAll(/^\| (`src-.*?) \|/gm)].map(([, room]) => room);
    expect(rows.filter((room, at) => rows.indexOf(room) !== at)).toEqual([]);
    // A new domain that is content with `store` and `base` need not be drawn.
    const drawn = mainImports.filter(({ from, to = '' }) => floorOf(from) >= 0 && floorOf(to) >= 0);
    const up = drawn.filter(({ from, to = '' }) => from !== to && floorOf(to) <= floorOf(from));
    // `quarry bench` opens the measurements that stand beside it.
    expect(show(up.filter(({ file }) => file !== join('src-main', 'cli', 'bench.ts')))).toEqual([]);
  });

  it('keeps electron in desktop/ and the entry', () => {
    const wrong = mainImports.filter(
      ({ from, file, specifier }) =>
        /^electron(\/|$)/.test(specifier) && from !== 'desktop' && file !== join('src-main', 'index.ts'),
    );
    expect(show(wrong)).toEqual([]);
  });

  it('keeps the contract free of main, Node and Electron', () => {
    const wrong = sourceFiles(contractRoot)
      .flatMap(importsOf)
      .filter(({ specifier, to }) => to !== undefined || /^(node:|electron)/.test(specifier));
    expect(show(wrong)).toEqual([]);
  });

  it('gives the screens nothing of main, and of the contract only what needs no package: zod stays out of the page', () => {
    const wrong = sourceFiles(screensRoot).flatMap((file) =>
      valuesOf(file)
        .filter((target) => isAbsolute(target) && !target.startsWith(screensRoot + sep))
        .filter((target) => !(target.startsWith(contractRoot + sep) && isPlain(target)))
        .map((target) => `${relative(root, file)} imports ${relative(root, target)}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps Node and Electron out of the page that trains', () => {
    const reached = new Set([join(mainRoot, 'learning/training/page/trainer-page.ts')]);
    for (const file of reached) if (isAbsolute(file)) for (const target of valuesOf(file)) reached.add(target);
    expect(reached.size).toBeGreaterThan(20);
    expect([...reached].filter((target) => !isAbsolute(target)).sort()).toEqual(['@jax-js/jax', 'zod']);
  });

  it('keeps the pages of the screens apart', () => {
    const pagesRoot = join(screensRoot, 'pages');
    const page = (file: string) => relative(pagesRoot, file).split(sep)[0];
    const wrong = sourceFiles(pagesRoot).flatMap((file) =>
      importsOf(file).filter(({ specifier }) => {
        const target = resolve(dirname(file), specifier);
        return specifier.startsWith('.') && target.startsWith(pagesRoot + sep) && page(target) !== page(file);
      }),
    );
    expect(show(wrong)).toEqual([]);
  });

  it('gives the frame of the screens nothing of a page but its page file, and the welcome', () => {
    const pagesRoot = join(screensRoot, 'pages');
    const wrong = sourceFiles(join(screensRoot, 'app')).flatMap((file) => {
      const imports = readFileSync(file, 'utf8').matchAll(/\b(?:from|import\(|glob(?:<\w+>)?\()\s*'(\.[^']+)'/g);
      return [...imports]
        .map(([, specifier = '']) => relative(pagesRoot, resolve(dirname(file), specifier)))
        .filter((target) => !target.startsWith('..') && !/^([*]|[\w-]+)[\\/]page\.ts$|[\\/]Welcome\.tsx$/.test(target))
        .map((target) => `${relative(root, file)} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('lets the rooms of the screens import downwards only', () => {
    const room = (file: string) => {
      const [first = '', ...rest] = relative(screensRoot, file).split(sep);
      return rest.length > 0 ? first : '.';
    };
    const arrows = sourceFiles(screensRoot).flatMap((file) =>
      importsOf(file)
        .map(({ specifier }) => ({ file, specifier, target: resolve(dirname(file), specifier) }))
        .filter(({ specifier, target }) => specifier.startsWith('.') && target.startsWith(screensRoot + sep))
        .map(({ specifier, target }) => ({
          file: relative(root, file),
          specifier,
          from: room(file),
          to: room(target),
        })),
    );
    const wrong = arrows.filter(({ from, to }) => from !== to && !SCREEN_ROOMS[from]?.includes(to));
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('has the look of a key once', () => {
    const wrong = [mainRoot, join(root, 'src-preload'), screensRoot].flatMap(sourceFiles).filter((file) => {
      return /0-9a-f\]\{(32|64|128)\}|a-f0-9\]\{(32|64|128)\}/i.test(readFileSync(file, 'utf8'));
    });
    expect(wrong.map((file) => relative(root, file))).toEqual([]);
  });

  it('has no barrels and no dumps', () => {
    const barrels = sourceFiles(mainRoot).filter((file) =>
      /(^|[\\/])(utils?|helpers?|misc)([\\/]|\.ts$)/.test(relative(mainRoot, file)),
    );
    expect(barrels).toEqual([]);
  });
});
