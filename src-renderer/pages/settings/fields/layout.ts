import type { PlaceOf } from '../../../../src-preload/contract/pages.ts';
import type { NamedPath } from '../../../components/setting-field/named-path.ts';

export type Place = PlaceOf<'settings'>;

/** The settings of each section, in the order in which they stand there; those with a component of their own are in {@link OF_THEIR_OWN}. */
export const FIELDS = {
  computer: ['nodeName', 'role', 'mineOnStart'],
  screens: ['language'],
  energy: ['node.watts', 'node.costPerKwh', 'node.currency'],
  model: ['contextSize', 'parallel', 'kvCache'],
  rope: ['rope.scaling', 'rope.factor', 'rope.originalContext'],
  processor: ['threads'],
  cards: ['engine.vramReserveMb', 'gpuLayers'],
  remote: ['remote.model', 'remote.apiKey'],
  bandwidth: ['models.downloadLimit', 'sharing.uploadLimit', 'models.fromPeers', 'sharing.seed', 'sharing.diskLimit'],
  source: ['models.endpoint', 'models.token'],
  limits: ['limits.queueCapacity', 'limits.queuedPerClient', 'limits.connections', 'limits.connectionsPerHost'],
  mesh: ['mesh.name', 'mesh.secret', 'credits.rule'],
  server: ['port', 'host'],
  data: ['dataDir'],
  modelFolder: ['models.folder'],
  user: ['policy.userActive', 'policy.userIdleSeconds'],
  battery: ['policy.onBattery'],
  gpu: ['policy.otherGpu', 'policy.otherGpuMemory'],
  heat: ['policy.heat', 'policy.heatAbove', 'policy.heatBelow'],
  quiet: ['policy.quietAction'],
  busy: ['limits.refuseWhenOverloaded'],
  api: ['localApiOpen'],
  reach: ['publicUrl'],
  log: ['logLevel'],
} as const satisfies Record<string, readonly NamedPath[]>;

const OF_THEIR_OWN = [
  ...['model', 'backend', 'remote.baseUrl', 'policy.quietHours', 'apiToken', 'tlsCert', 'tlsKey', 'showWelcome'],
  'engine.gpus',
  ...['desktop.startMinimised', 'desktop.closeToTray', 'desktop.notifications'],
];

const PLACED = new Set<string>([...Object.values(FIELDS).flat(), ...OF_THEIR_OWN]);

/** Where a setting belongs, by how its path begins; the first that fits. */
const HOMES: readonly (readonly [begins: RegExp, place: Place])[] = [
  [/^limits\.refuseWhenOverloaded$|^policy\./, 'policy'],
  [/^desktop\./, 'desktop'],
  [/^(model|backend|contextSize|parallel|kvCache|threads|gpu|vram)|^(rope|remote|engine|gpu|vram)\./i, 'engine'],
  [/^(dataDir|models\.folder)$/, 'folders'],
  [/^(apiToken|metricsToken|localApiOpen|publicUrl|tls|database)/, 'security'],
  [/^(mesh|models|sharing|limits|credits)\.|^(port|host|bootstrap)$/, 'network'],
  [/^(log|clock)/, 'logs'],
];

/** The tab in which a setting is looked for. A new one of no known kind is general. */
export function homeOf(path: string): Place {
  if (path.startsWith('models.')) return path === 'models.folder' ? 'folders' : 'network';
  return HOMES.find(([begins]) => begins.test(path))?.[1] ?? 'general';
}

/** Of these settings those that belong into a tab and stand in none of its sections. */
export function moreOf<Setting extends { path: string }>(place: Place, settings: readonly Setting[]): Setting[] {
  return settings.filter(({ path }) => !PLACED.has(path) && homeOf(path) === place);
}
