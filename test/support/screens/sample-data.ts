import type { ActivityHistory, HistoryRange } from '../../../src-preload/contract/activity.ts';
import type { Answered } from '../../../src-preload/contract/conversations.ts';
import type {
  CreditDay,
  CreditEntry,
  CreditSummary,
  Debtors,
  LedgerCheckReport,
  LedgerReport,
  ServedRequest,
  TrustedPeers,
} from '../../../src-preload/contract/credits.ts';
import type { DesktopState } from '../../../src-preload/contract/desktop.ts';
import type { EarningToday, Forecast } from '../../../src-preload/contract/earning.ts';
import type { FleetView } from '../../../src-preload/contract/fleet.ts';
import type { PeersView, Reachability } from '../../../src-preload/contract/mesh.ts';
import type {
  CatalogueModel,
  Download,
  FoundModel,
  LoadedModel,
  LocalModel,
  ModelDetails,
  ModelFit,
  OfferedModel,
  Sharing,
} from '../../../src-preload/contract/models.ts';
import type { Card, Energy, Hardware, NodeStatus, Sample } from '../../../src-preload/contract/node.ts';
import { pairingCode } from '../../../src-preload/contract/pairing-code.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';

/** Plausible answers for every screen. Everything hangs on `NOW`, so that two pictures of a screen are alike. */
export const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GB = 1_000_000_000;

/** A node id of 64 hex digits that begins with `start`. */
export function nodeId(start: string): string {
  return start.padEnd(64, '0');
}

export const status: NodeStatus = {
  id: nodeId('a1b2c3d4'),
  name: 'attic-pc',
  version: '0.1.0',
  role: 'miner',
  mesh: 'public',
  startedAt: NOW - 5 * HOUR,
  url: 'http://127.0.0.1:7070',
  engine: {
    state: 'ready',
    model: {
      name: 'qwen2.5-7b-instruct-q4_k_m',
      device: 'cuda',
      contextSize: 8_192,
      parallel: 4,
      kvCache: 'f16',
      gpuLayers: 28,
      threads: 5,
      tiny: false,
    },
    active: 2,
    waiting: 0,
  },
  mining: { state: 'running', model: 'qwen2.5-7b-instruct-q4_k_m' },
  health: {
    score: 78,
    state: 'light',
    use: {
      cpu: { percent: 18, limits: false },
      memory: { percent: 36, limits: true },
      queue: { percent: 0, limits: false },
    },
    parts: { cpu: 82, memory: 64, load: 90, queue: 100 },
    capacity: 100,
    accepting: true,
  },
  policy: {
    mode: 'full',
    reasons: [],
    rules: [
      { rule: 'battery', action: 'pause', state: 'clear', text: 'The computer runs on mains power.' },
      { rule: 'user', action: 'throttle', state: 'clear', text: 'Nobody has used keyboard or mouse for 12 minutes.' },
      { rule: 'gpu', action: 'pause', state: 'clear', text: 'No other program uses the GPU.' },
      { rule: 'heat', action: 'pause', state: 'unknown', text: 'No sensor tells the temperature.' },
      { rule: 'quiet-hours', action: 'off', state: 'off', ...told({ text: say('policy.quiet.none') }) },
    ],
  },
  queue: {
    waiting: 3,
    active: 2,
    waits: [
      { tier: 'newcomer', served: 40, meanMs: 820, maxMs: 3_900 },
      { tier: 'gold', served: 12, meanMs: 140, maxMs: 610, targetMs: 1_000, withinTarget: 1 },
    ],
  },
  speed: { tokensPerSecond: 41.3, firstTokenMs: 310 },
  peers: 6,
  peerClockOffsetsMs: [12, -8, 3],
  served: { requests: 128, tokens: 38_412, refused: 4 },
  credits: { available: 214, points: 742, tier: 'gold' },
};

export const samples: Sample[] = Array.from({ length: 900 }, (_, index) => ({
  at: NOW - (900 - index) * 1_000,
  tokensPerSecond: Math.max(0, 38 + 22 * Math.sin(index / 37) + 9 * Math.sin(index / 5)),
  active: index % 97 < 60 ? 2 : 1,
  waiting: Math.max(0, Math.round(3 * Math.sin(index / 61))),
  health: Math.round(78 + 8 * Math.sin(index / 90)),
  peers: 6,
  firstTokenMs: index % 7 === 0 ? Math.round(310 + 120 * Math.sin(index / 11)) : null,
}));

export const hardware: Hardware = {
  os: { value: { name: 'Debian GNU/Linux 12', arch: 'x64' }, source: 'node' },
  cpu: { value: { model: 'AMD Ryzen 5 5600', logicalCores: 12, physicalCores: 6 }, source: 'systeminformation' },
  memory: { value: { total: 32 * GB, available: 21 * GB }, source: 'systeminformation' },
  gpus: {
    value: [{ name: 'NVIDIA GeForce RTX 3060', backend: 'cuda', vramTotal: 12 * GB, vramFree: 11.2 * GB }],
    source: 'llama.cpp',
  },
  disk: { value: { path: '/home/ada/.local/share/quarry', total: 512 * GB, free: 203 * GB }, source: 'node' },
  battery: { value: { present: false, onBattery: false }, source: 'systeminformation' },
  temperature: { reason: 'no sensor tells it' },
};

export const cards: Card[] = [
  {
    ...{ name: 'NVIDIA GeForce RTX 3060', backend: 'cuda', busy: 0.64, vramTotal: 12 * GB, vramUsed: 6.4 * GB },
    ...{ temperature: 63, watts: 148 },
  },
];

/** Nothing was said of what a kilowatt hour costs. */
export const energy: Energy = {
  ...{ basis: 'measured', of: ['gpu'], watts: 148 },
  today: { wattHours: 810, minedMs: 5.6 * HOUR },
  week: { wattHours: 5_240, minedMs: 37 * HOUR },
};

export const summary: CreditSummary = {
  available: 214,
  owed: 5_593,
  reserved: 3,
  spent: 61,
  points: 742,
  tier: 'gold',
  tierFrom: 500,
  next: { tier: 'platinum', missing: 758 },
  served: 128,
  earnedToday: 57,
  earnedWeek: 322,
  pending: { requests: 2, credits: 6, points: 13 },
  rule: 'claims',
  gifts: { given: 37, back: 24, most: 20, perDay: 10 },
  achievements: [
    { id: 'first-light', title: 'First Light', bonus: 5, at: NOW - 6 * DAY },
    { id: 'speed-demon', title: 'Speed Demon', bonus: 20, at: NOW - 2 * DAY },
  ],
};

/** A day of mining with a pause, a night switched off, and payments. */
export function history(range: HistoryRange): ActivityHistory {
  const [bucketMs, paymentMs, count] = (
    { '15m': [60_000, 5_000, 15], '24h': [300_000, 900_000, 288], '7d': [900_000, HOUR, 672] } as const
  )[range];
  const from = NOW - count * bucketMs;
  const part = (share: number) => from + Math.round(count * share) * bucketMs;
  const [offFrom, offTo, pauseFrom, pauseTo] = [part(0.2), part(0.45), part(0.7), part(0.78)];
  const isIn = (at: number, start: number, end: number) => at >= start && at < end;
  const points = Array.from({ length: count }, (_, index) => {
    const at = from + index * bucketMs;
    if (isIn(at, offFrom, offTo)) return { at, tokensPerSecond: null };
    const paused = isIn(at, pauseFrom, pauseTo);
    return { at, tokensPerSecond: paused ? 0 : Math.max(0, 28 + 14 * Math.sin(index / 9)) };
  });
  const payments = points
    .filter(({ tokensPerSecond }, index) => (tokensPerSecond ?? 0) > 20 && index % 6 === 0)
    .map(({ at }, index) => ({ at: at - (at % paymentMs), points: 5 + (index % 6), answers: 1 + (index % 2) }));
  const bands: ActivityHistory['bands'] = [
    { from: offFrom, to: offTo, open: false, kind: 'off', ...told({ reason: say('activity.off') }) },
    {
      ...{ from: pauseFrom, to: pauseTo, open: false, kind: 'paused', rule: 'user' },
      ...told({ reason: say('activity.pausedFor', { why: say('activity.rule.user') }) }),
    },
  ];
  return { range, from, to: NOW, bucketMs, points, bands, payments, paymentMs };
}

export const today: EarningToday = {
  since: NOW - 12 * HOUR,
  earned: 57,
  waiting: { answers: 2, points: 13 },
  asked: 40,
  reasons: [
    {
      ...{ kind: 'slow', points: 21, count: 23 },
      ...told({
        text: say('earning.slow.late', { late: 9, answers: 23 }),
        why: say('earning.slow.lateWhy', { points: 21 }),
      }),
      fix: { path: '/models/catalogue' },
    },
    {
      ...{ kind: 'paused', rule: 'user', points: 14, ms: 110 * 60_000 },
      ...told({
        text: say('earning.pausedFor', {
          time: say('earning.time.hours', { hours: 1, minutes: 50 }),
          why: say('activity.rule.user'),
        }),
        why: say('earning.paused.why'),
      }),
      fix: { path: '/settings/policy', setting: 'policy.userActive' },
    },
    {
      ...{ kind: 'unsigned', points: 13, count: 2 },
      ...told({ text: say('earning.unsigned', { count: 2 }), why: say('earning.unsigned.why') }),
      fix: { path: '/earnings' },
    },
  ],
  pointsPerHour: 7.6,
  usual: { days: 4, points: 88, soFar: 48 },
  bestDay: { at: NOW - 2 * DAY - 12 * HOUR, points: 69 },
  nextTier: { tier: 'platinum', missing: 758, days: 17 },
};

export const forecasts: Forecast[] = [
  {
    model: 'qwen2.5-7b-instruct-q4_k_m',
    perDay: { low: 38, likely: 46, high: 54 },
    basis: 'receipts',
    assumes: { hoursPerDay: 6.1, answersPerDay: 9.8, from: 128, pointsPerAnswer: 4.7 },
    ...told({ text: say('earning.forecast.receipts', { points: 46, hours: 6.1 }) }),
  },
  {
    model: 'qwen2.5-1.5b-instruct-q4_k_m',
    perDay: { low: 49, likely: 62, high: 71 },
    basis: 'estimate',
    assumes: { hoursPerDay: 6.1, answersPerDay: 9.8, from: 128, pointsPerAnswer: 6.3, tokensPerSecond: 118 },
    ...told({ text: say('earning.forecast.estimate', { points: 62, answers: 9.8 }) }),
  },
  ...[
    { model: 'qwen3-4b', points: 58, tokensPerSecond: 72 },
    { model: 'qwen2.5-coder-7b', points: 44, tokensPerSecond: 43 },
    { model: 'phi-4-mini', points: 57, tokensPerSecond: 70 },
    { model: 'gemma-3-4b', points: 55, tokensPerSecond: 66 },
    { model: 'qwen3-14b', points: 31, tokensPerSecond: 23 },
  ].map(({ model, points, tokensPerSecond }) => ({
    model,
    perDay: { low: points - 8, likely: points, high: points + 9 },
    basis: 'estimate' as const,
    assumes: { hoursPerDay: 6.1, answersPerDay: 9.8, from: 128, pointsPerAnswer: points / 9.8, tokensPerSecond },
    ...told({ text: say('earning.forecast.estimate', { points, answers: 9.8 }) }),
  })),
];

export const trusted: TrustedPeers['peers'] = Array.from({ length: 45 }, (_, index) => {
  const owed = Math.max(0, Math.floor(900 / 2 ** (index / 4)) - 1);
  return {
    peer: index.toString(16).padStart(2, '0').repeat(32),
    owed,
    served: owed + index,
    tier: owed >= 512 ? 'diamond' : owed >= 32 ? 'gold' : owed > 0 ? 'bronze' : 'newcomer',
  };
});

export const debtors: Debtors['peers'] = Array.from({ length: 13 }, (_, index) => ({
  peer: (200 - index).toString(16).repeat(32),
  owes: [120, 40, 9, 8, 7, 6, 6, 5, 4, 3, 3, 2, 1][index] ?? 0,
  inReach: index % 3 !== 2,
}));

const [beef, facade] = [nodeId('beef'), nodeId('facade')];
const HAPPENED: Pick<CreditEntry, 'happened' | 'said'>[] = [
  told({ happened: say('entry.served', { peer: beef }) }),
  told({ happened: say('entry.answered', { peer: facade }) }),
  told({ happened: say('entry.vouched', { client: facade, worker: beef }) }),
  told({ happened: say('entry.servedPart', { peer: beef, why: say('ended.cancelled') }) }),
  { happened: 'Speed Demon', said: { happened: { key: 'achievement.speed-demon' } } },
  told({ happened: say('entry.brought', { by: beef, worker: facade, credits: 2 }) }),
];

export const entries: CreditEntry[] = Array.from({ length: 120 }, (_, index) => ({
  seq: 400 - index,
  at: NOW - index * 23 * 60_000,
  kind: ['earn', 'pay', 'standing', 'release', 'bonus', 'standing'][index % 6] ?? 'earn',
  requestId: [0, 1, 3].includes(index % 6) ? `request-${400 - index}` : null,
  amount: [7, -1, -3, 3, 0, 0][index % 6] ?? 0,
  points: [7, 0, 0, 0, 50, 0][index % 6] ?? 0,
  ...(HAPPENED[index % 6] ?? { happened: '' }),
}));

export const days: CreditDay[] = Array.from({ length: 30 }, (_, index) => ({
  at: NOW - 12 * HOUR - (29 - index) * DAY,
  points: Math.max(0, Math.round(30 + 28 * Math.sin(index / 3))),
  requests: Math.max(0, Math.round(6 + 5 * Math.sin(index / 3))),
  spent: index % 4,
}));

export const served: ServedRequest[] = Array.from({ length: 12 }, (_, index) => ({
  requestId: `request-${index}`,
  at: NOW - index * 4 * 60_000,
  client: nodeId(['beef', 'c0ffee', 'facade'][index % 3] ?? 'beef'),
  model: 'qwen2.5-7b-instruct-q4_k_m',
  promptTokens: 120 + index * 7,
  completionTokens: 90 + index * 31,
  processingMs: 900 + index * 420,
  points: Math.max(1, 9 - index),
}));

export const ledgerCheck: LedgerCheckReport = {
  state: 'sound',
  since: NOW,
  unclean: false,
  read: 400,
  entries: 400,
  problems: [],
};

export const ledgerReport: LedgerReport = { ok: true, entries: 400, receipts: 128, openReservations: 2, problems: [] };

export const reachability: Reachability = {
  online: true,
  nat: 'consistent',
  address: '203.0.113.7:49737',
  found: 'Other nodes answer: the router keeps one address for this computer.',
};

export const peers: PeersView = {
  self: status.id,
  peers: [
    ['beef', 'gold', 91, 18, true, 'idle', 120, 900] as const,
    ['c0ffee', 'newcomer', undefined, undefined, false, undefined, 0, 0] as const,
    ['facade', 'silver', 55, 120, true, 'moderate', 40, 0] as const,
    ['decade', 'bronze', 12, 240, false, 'overloaded', 0, 12] as const,
  ].map(([id, tier, health, rttMs, ready, healthState, owes, owed]) => ({
    id: nodeId(id),
    sides: health === undefined ? ['client'] : ['worker', 'client'],
    validator: false,
    models: health === undefined ? [] : ['qwen2.5-7b-instruct-q4_k_m'],
    health,
    healthState,
    tier,
    points: health === undefined ? 0 : 120,
    owes,
    owed,
    rttMs,
    queue: 2,
    ready,
  })),
  bans: [{ id: nodeId('bad1'), reason: 'wrong signature', expiresAt: NOW + 2 * HOUR }],
  marks: [
    {
      id: nodeId('bad2'),
      reason: 'inflated',
      ...told({ detail: say('score.inflated', { claimed: 900, proven: 12 }) }),
      expiresAt: NOW + DAY,
    },
  ],
  moreMarks: 0,
};

/** A code with a sound check. */
export const FLEET_CODE = pairingCode(new Uint8Array(21).map((_, index) => index * 7));

export const fleet: FleetView = {
  nodes: [
    {
      id: status.id,
      self: true,
      name: 'Gaming PC',
      online: true,
      mayControlThis: true,
      controllable: true,
      summary: {
        name: 'Gaming PC',
        version: '0.1.0',
        role: 'miner',
        standing: 'mining',
        model: 'qwen2.5-7b-instruct-q4_k_m',
        tokensPerSecond: 41.2,
        use: { cpu: 24, memory: 58, gpu: 91, vram: 74 },
        gpu: { name: 'NVIDIA GeForce RTX 3060', temperature: 67 },
        earned: { today: 118, week: 742 },
        tier: 'gold',
        credits: 1_240,
      },
    },
    {
      id: nodeId('1abe1'),
      self: false,
      name: 'Old laptop',
      online: false,
      seenAt: NOW - 5 * HOUR,
      since: NOW - 20 * DAY,
      mayControlThis: false,
      controllable: false,
      summary: {
        name: 'Old laptop',
        version: '0.1.0',
        role: 'miner',
        standing: 'paused',
        rule: 'battery',
        model: 'smollm2-1.7b-instruct-q4_k_m',
        tokensPerSecond: 9.4,
        use: { cpu: 6, memory: 71 },
        earned: { today: 4, week: 63 },
        tier: 'bronze',
        credits: 55,
      },
    },
    {
      id: nodeId('5e77e7'),
      self: false,
      name: 'Server in the basement',
      online: true,
      since: NOW - 3 * DAY,
      mayControlThis: true,
      controllable: true,
      summary: {
        name: 'Server in the basement',
        version: '0.1.0',
        role: 'miner',
        standing: 'ready',
        model: 'qwen3-4b',
        tokensPerSecond: 18.6,
        use: { cpu: 12, memory: 33 },
        earned: { today: 51, week: 390 },
        tier: 'silver',
        credits: 410,
      },
    },
  ],
};

/** Name of the embedding model that long files are searched by; null where none is here. */
export const searcher: string | null = null;

export const answered: Answered[] = [
  ['local', 'qwen2.5-7b-instruct-q4_k_m', 240, 310, 41] as const,
  ['mesh', 'qwen2.5-7b-instruct-q4_k_m', 260, 900, 24] as const,
].map(([target, model, tokens, firstTokenMs, tokensPerSecond]) => {
  return { target, model, answers: 12, tokens, firstTokenMs, tokensPerSecond };
});

export function fit(runs: ModelFit['runs'], tokensPerSecond: number, gb: number): ModelFit {
  const speed = tokensPerSecond > 30 ? 'fast' : tokensPerSecond > 10 ? 'comfortable' : 'slow';
  return {
    runs,
    contextSize: 8_192,
    parallel: 4,
    longest: 32_768,
    memory: { weights: gb * GB, cache: 0.4 * GB, overhead: 0.3 * GB, total: (gb + 0.7) * GB },
    room: {
      of: runs === 'gpu' || runs === 'partly' ? 'vram' : 'ram',
      usable: runs === 'gpu' || runs === 'partly' ? 11.2 * GB : 20 * GB,
      weights: (runs === 'partly' ? Math.min(gb, 9.3) : gb) * GB,
      cache: gb * 0.1 * GB,
      overhead: gb * 0.02 * GB + 0.3 * GB,
    },
    gpuLayers: runs === 'gpu' ? 28 : runs === 'partly' ? 19 : 0,
    layers: 28,
    speed: {
      class: runs === 'no' ? 'painful' : speed,
      tokensPerSecond,
      low: tokensPerSecond * 0.75,
      high: tokensPerSecond * 1.3,
      measured: false,
    },
    reason: runs === 'no' ? 'It needs more memory than this machine has.' : 'It fits the GPU whole.',
  };
}

export const catalogue: CatalogueModel[] = [
  [
    'smollm2-135m-instruct-q8_0',
    'SmolLM2 135M',
    'The smallest that talks; for trying things out.',
    0.135,
    0.145,
    'gpu',
    240,
  ],
  ['qwen2.5-1.5b-instruct-q4_k_m', 'Qwen2.5 1.5B', 'Short answers in many languages.', 1.5, 1.1, 'gpu', 118],
  ['qwen2.5-7b-instruct-q4_k_m', 'Qwen2.5 7B', 'Strong answers and reasoning; for 8 GB.', 7.6, 4.7, 'gpu', 41],
  ['qwen2.5-14b-instruct-q4_k_m', 'Qwen2.5 14B', 'Long and thorough answers.', 14.8, 9.9, 'partly', 9],
].map(listed);

/** What makes the list as long as a real one. */
export const moreModels: CatalogueModel[] = [
  ['qwen3-4b', 'Qwen3 4B', 'A capable all-rounder; for 8 GB of memory.', 4, 2.5, 'gpu', 72],
  ['qwen2.5-coder-7b', 'Qwen2.5 Coder 7B', 'Writes, mends and explains code.', 7.6, 4.7, 'gpu', 43, 'code'],
  ['phi-4-mini', 'Phi-4 mini', 'Reasoning, mathematics and code in little memory.', 3.8, 2.5, 'gpu', 70],
  ['gemma-3-4b', 'Gemma 3 4B', 'Good writing and translation in many languages; text only here.', 3.9, 2.5, 'gpu', 66],
  [
    'bge-small-en-v1.5',
    'BGE small English v1.5',
    'Embeddings of English texts; tiny and quick.',
    0.033,
    0.037,
    'gpu',
    900,
    'embedding',
  ],
  ['qwen3-14b', 'Qwen3 14B', 'The best reasoning of this list; for a graphics card with 12 GB.', 14.8, 9, 'gpu', 23],
  ['qwen2.5-32b', 'Qwen2.5 32B', 'Knows more than all others here.', 32.8, 19.9, 'no', 2],
].map(listed);

function listed([name, title, description, billions, gb, runs, speed, use = 'chat']: (
  | string
  | number
)[]): CatalogueModel {
  return {
    name: String(name),
    title: String(title),
    description: String(description),
    use: use as CatalogueModel['use'],
    parameters: Number(billions) * 1e9,
    quantisation: 'Q4_K_M',
    contextLength: 32_768,
    licence: 'apache-2.0',
    bytes: Number(gb) * GB,
    sha256: 'ab'.repeat(32),
    url: `https://huggingface.co/example/${String(name)}.gguf`,
    chatTemplate: 'chatml',
    installed: ['qwen2.5-7b-instruct-q4_k_m', 'qwen3-4b'].includes(String(name)),
    fit: fit(runs as ModelFit['runs'], Number(speed), Number(gb)),
  };
}

export const localModels: LocalModel[] = [
  {
    name: 'qwen2.5-7b-instruct-q4_k_m',
    path: '/home/ada/.local/share/quarry/models/qwen2.5-7b-instruct-q4_k_m.gguf',
    bytes: 4.7 * GB,
    sha256: 'ab'.repeat(32),
    tiny: false,
    origin: 'downloaded',
    licence: 'apache-2.0',
    selected: true,
    place: 'here',
    frees: 4.7 * GB,
  },
  {
    name: 'tiny',
    path: '/opt/quarry/resources/tiny.gguf',
    bytes: 1_200_000,
    sha256: 'cd'.repeat(32),
    tiny: true,
    origin: 'built-in',
    selected: false,
    place: 'built-in',
    frees: 0,
  },
];

export const moreLocalModels: LocalModel[] = [
  {
    name: 'qwen3-4b',
    path: '/home/ada/.local/share/quarry/models/qwen3-4b.gguf',
    bytes: 2.5 * GB,
    sha256: 'ce'.repeat(32),
    tiny: false,
    origin: 'downloaded',
    licence: 'apache-2.0',
    selected: false,
    place: 'here',
    frees: 2.5 * GB,
  },
];

/** What is known of a model; more context takes more memory, and so many layers as are wanted stand on the graphics card. */
export function detailsOf(
  name: string,
  { contextSize = 8_192, gpuLayers = -1 }: { contextSize?: number | undefined; gpuLayers?: number | undefined } = {},
): ModelDetails {
  const model = [...catalogue, ...moreModels].find((one) => one.name === name);
  const {
    fit: usual = fit('gpu', 900, 0.1),
    parameters = 1_200_000,
    quantisation = 'F16',
    bytes = 1_200_000,
  } = model ?? {};
  const running = usual ?? fit('gpu', 900, 0.1);
  const room = { ...running.room, cache: (running.room.cache * contextSize) / 8_192 };
  return {
    name,
    file: null,
    bytes,
    sha256: null,
    facts: { parameters, quantisation, contextLength: 32_768, embeddings: model?.use === 'embedding' },
    fit: { ...running, contextSize, room, gpuLayers: gpuLayers < 0 ? running.gpuLayers : gpuLayers },
  };
}

export const downloads: Download[] = [
  {
    name: 'qwen2.5-1.5b-instruct-q4_k_m',
    state: 'downloading',
    bytes: 1.1 * GB,
    received: 0.42 * GB,
    bytesPerSecond: 12_400_000,
    secondsLeft: 55,
    nextTryAt: null,
    sources: ['peers', 'huggingface.co'],
    problem: null,
  },
];

export const sharing: Sharing = {
  seed: true,
  uploadLimit: 2_000_000,
  diskLimit: 50 * GB,
  diskUsed: 4.7 * GB,
  versions: [],
  models: [
    {
      name: 'qwen2.5-7b-instruct-q4_k_m',
      sha256: 'ab'.repeat(32),
      bytes: 4.7 * GB,
      state: 'shared',
      prepared: 1,
      peers: 2,
      uploadedBytes: 1.9 * GB,
      problem: null,
    },
  ],
};

export const offers: OfferedModel[] = [
  { name: 'qwen2.5-1.5b-instruct-q4_k_m', sha: 'ab', trusted: true, inCatalogue: true, seeders: 4 },
  { name: 'poet-3b-q5_k_m', sha: 'cd', trusted: true, inCatalogue: false, seeders: 2 },
  { name: 'my-finetune-7b', sha: 'ef', trusted: false, inCatalogue: false, seeders: 1 },
].map(({ sha, ...offer }) => ({
  ...offer,
  file: `${offer.name}.gguf`,
  bytes: 2.1 * GB,
  sha256: sha.repeat(32),
  licence: 'apache-2.0',
  quantisation: 'Q4_K_M',
  contextLength: 32_768,
  signers: [nodeId('beef')],
}));

export const headless: DesktopState = {
  available: false,
  reason: 'Quarry runs without a window here.',
  startOnLogin: null,
  secrets: { protected: false, note: 'They are kept in a file that only its owner can read.' },
  update: { state: 'off', message: 'Updates come with the desktop app.' },
};

/** What other apps keep on this computer: one that can be used, and one that cannot. */
export const loadedModels: LoadedModel[] = [
  {
    ...{
      name: 'qwen2.5-7b-instruct-q4_k_m',
      own: true,
      memory: { ram: 300_000_000, vram: 5_600_000_000 },
      device: 'cuda',
    },
    ...{ contextSize: 8_192, parallel: 4, active: 1, waiting: 0, freesAt: null },
  },
  {
    ...{ name: 'smollm2-360m', own: false, memory: { ram: 480_000_000, vram: 0 }, device: 'cpu' },
    ...{ contextSize: 4_096, parallel: 2, active: 0, waiting: 0, freesAt: NOW + 540_000 },
  },
];

export const foundModels: FoundModel[] = [
  {
    app: 'ollama',
    title: 'gemma3:4b',
    name: 'gemma3-4b',
    path: '/home/ada/.ollama/models/blobs/sha256-ab',
    bytes: 3_300_000_000,
    quantisation: 'Q4_K_M',
    parameters: 4_300_000_000,
    installed: null,
    problem: null,
  },
  {
    app: 'lm-studio',
    title: 'someone/odd-model/odd.gguf',
    name: 'odd',
    path: '/home/ada/.lmstudio/models/someone/odd-model/odd.gguf',
    bytes: 1_000_000,
    quantisation: null,
    parameters: null,
    installed: null,
    problem: 'The file is not whole.',
  },
];
