import { join } from 'node:path';
import envPaths from 'env-paths';

/** A file or a folder that lies in a node's data folder. */
export interface DataEntry {
  /** Ends with a hyphen or a dot where more follows. */
  name: string;
  /** Other accounts of the computer are kept out of it at every start: it holds a key, a token, or what was said. */
  isPrivate?: true;
  /** Nothing but a node's own data folder has it. */
  marksANode?: true;
  /** A backup holds it, where it is there. What is here gives way to what was restored. */
  inBackup?: true;
  /** It also gives way when the file of this name is restored, and stands below that one. */
  givesWayTo?: string;
}

const ENTRIES = {
  identity: { name: 'identity.key', isPrivate: true, marksANode: true, inBackup: true },
  database: { name: 'quarry.db', isPrivate: true, marksANode: true, inBackup: true },
  databaseLog: { name: 'quarry.db-wal', isPrivate: true, givesWayTo: 'quarry.db' },
  databaseIndex: { name: 'quarry.db-shm', isPrivate: true, givesWayTo: 'quarry.db' },
  openMark: { name: 'quarry.open', givesWayTo: 'quarry.db' },
  scoreLogs: { name: 'score-logs' },
  catchUp: { name: 'catch-up.json' },
  // Not closed to others: one that they could read is replaced (app/host/own-token.ts).
  localToken: { name: 'local.token' },
  // Likewise.
  signerToken: { name: 'signer.token' },
  signerAudit: { name: 'signer-audit.jsonl', isPrivate: true },
  fullSignerAudit: { name: 'signer-audit-' },
  lastBackup: { name: 'last-backup' },
  backupWork: { name: 'backup-books.' },
  restoreStaging: { name: 'restore.tmp' },
  restoreReady: { name: 'restore.ready' },
  beforeRestore: { name: 'before-restore-' },
  results: { name: 'results.db', isPrivate: true, inBackup: true },
  resultsLog: { name: 'results.db-wal', isPrivate: true, givesWayTo: 'results.db' },
  resultsIndex: { name: 'results.db-shm', isPrivate: true, givesWayTo: 'results.db' },
  sandbox: { name: 'sandbox' },
  focus: { name: 'focus' },
  clips: { name: 'clips', isPrivate: true },
  dataSet: { name: 'data-set', isPrivate: true },
  trade: { name: 'trade' },
  market: { name: 'market' },
  competition: { name: 'competition' },
  gpuRepositories: { name: 'gpu-repositories', isPrivate: true },
  submissions: { name: 'submissions', isPrivate: true },
  adapters: { name: 'adapters' },
  learning: { name: 'learning', isPrivate: true },
  hostedTraining: { name: 'hosted-training', isPrivate: true },
  torch: { name: 'torch' },
  keptPrompts: { name: 'kept-prompts', isPrivate: true },
  texts: { name: 'texts' },
  models: { name: 'models' },
  sharedModels: { name: 'shared-models' },
  config: { name: 'quarry.toml' },
  appSettings: { name: 'app-settings.json', isPrivate: true },
  goodSettings: { name: 'app-settings.good.json', isPrivate: true },
  updateCheck: { name: 'update-check.json' },
  log: { name: 'quarry.log', isPrivate: true },
  olderLog: { name: 'quarry.log.1', isPrivate: true },
  runningNode: { name: 'node.json', isPrivate: true },
  lock: { name: 'node.lock' },
} as const satisfies Record<string, DataEntry>;

/** What lies in a data folder, each by what it is: the one list of it. docs/architecture.md says what each is for. */
export const DATA: Readonly<Record<keyof typeof ENTRIES, DataEntry>> = ENTRIES;

/** Where a node keeps its things if nobody says otherwise: the system's folder for application data. */
export function defaultDataDir(): string {
  return envPaths('quarry', { suffix: '' }).data;
}

/** Where it lies. */
export const dataPath = (dataDir: string, entry: keyof typeof DATA): string => join(dataDir, DATA[entry].name);

/** Names of everything that is so, in the order of the list. */
export function dataNames(is: (entry: DataEntry) => unknown): string[] {
  return Object.values(DATA)
    .filter(is)
    .map(({ name }) => name);
}
