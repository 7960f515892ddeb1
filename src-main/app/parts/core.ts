import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { removeUnfinished } from '../../backup/backup.ts';
import { type CatchUp, discardStaged, finishRestore, readCatchUp } from '../../backup/restore.ts';
import { Changes } from '../../base/changes.ts';
import { dataPath } from '../../base/data-folder.ts';
import type { Standing } from '../../credits/credits.ts';
import { openNodeLog } from '../../diagnostics/log.ts';
import type { EngineGpus } from '../../hardware/gpus.ts';
import { listGpus } from '../../inference/host/gpus.ts';
import { BanList } from '../../mesh/transport/guards/ban-list.ts';
import { type Identity, loadOrCreateIdentity } from '../../mesh/transport/identity.ts';
import type { Config, ConfigSources, FixedConfig } from '../../settings/config.ts';
import { PlainVault } from '../../settings/secret-vault.ts';
import { Settings } from '../../settings/settings.ts';
import { type Db, openDatabase } from '../../store/database.ts';
import { BanStore } from '../../store/mesh/bans.ts';
import { DataDirLock } from '../host/data-dir-lock.ts';
import { checkFile } from '../host/file-check.ts';
import type { HostPorts } from '../host/host-ports.ts';
import { OpenMark } from '../host/open-mark.ts';
import { keepToOwner } from '../host/own-folder.ts';

/** What a node runs in, and where its configuration came from. */
export interface Surroundings {
  ports?: HostPorts;
  /** What the configuration was loaded from: what is set in the app is checked against it. Default: the data folder alone. */
  sources?: ConfigSources;
  /** Why none could be opened with what is set in the app: the configuration is the one to go back to. */
  rejected?: QuarryError | undefined;
  /** Closes this node and opens another. Absent where a node was opened for a single command. */
  restart?: () => void;
  /** Ends this node and the program around it. Absent where that cannot be asked for from within. */
  stop?: () => void;
  /** Told once what every node has is open: its data folder is free and can be used. */
  onCore?: () => void;
}

/** What every part may use. */
export interface Core {
  /** As the node was opened. What takes effect at once is followed: `settings.follow('model')`. */
  readonly config: FixedConfig;
  readonly settings: Settings;
  /** Abilities of what this node runs in. */
  readonly ports: HostPorts;
  /** Keeps the data folder for this node; knows where its API is, once that has an address. */
  readonly lock: DataDirLock;
  readonly door: Door;
  readonly identity: Identity;
  /** It does not know yet what it has done: it was restored from a backup, or somebody else was it. */
  readonly catchUp: CatchUp | undefined;
  readonly db: Db;
  /** Whether the database file was read through before it was opened. */
  readonly fileChecked: boolean;
  /** Whether the node before came to its end; to be settled by who has looked at what it left behind. */
  readonly openMark: Pick<OpenMark, 'found' | 'settle'>;
  readonly bans: BanList;
  readonly standings: Standings;
  /** Told of what people wait for on a screen. */
  readonly changes: Changes;
  readonly log: Logger;
  /** The GPUs that the engine could use: asked in a child, which may die of a broken driver. */
  readonly gpus: EngineGpus;
  /** Aborted when the node closes, or with the signal. */
  until(signal?: AbortSignal): AbortSignal;
  /** Has something come to rest before the node closes: it begins nothing more, and resolves when what it does has come to its end. */
  onDrain(drain: () => Promise<void>): void;
  /** Has something closed when the node closes: what was opened last first. */
  onClose(close: () => void | Promise<void>): void;
}

/**
 * How this node sees others: as newcomers, as long as it is on no mesh and has heard nothing of them. Its source comes later:
 * the books want to know standings, and the score network, which knows them, wants the books.
 */
class Standings {
  #source: { standing(id: string): Standing } | undefined;

  of(id: string): Standing {
    return this.#source?.standing(id) ?? { points: 0, tier: 'newcomer' };
  }

  learnFrom(source: { standing(id: string): Standing }): void {
    this.#source = source;
  }
}

/** A link that lets a browser in, once, and when it is over (Unix milliseconds). */
export interface Entry {
  url: string;
  expiresAt: number;
}

/** The way in for browsers, which the server keeps. It comes later: it serves the contract, which gives links away. */
class Door {
  #server: { entry(): Entry } | undefined;

  /** @throws NOT_RUNNING on a node without a server */
  entry(): Entry {
    if (this.#server) return this.#server.entry();
    throw new QuarryError({ code: 'NOT_RUNNING', message: say('login.noServer'), hint: say('login.startFirst') });
  }

  leadsTo(server: { entry(): Entry }): void {
    this.#server = server;
  }
}

/**
 * Opens what every node has, whatever it does.
 * @param lives.draining where parts put what they do before the node closes; `ending` is aborted when it does
 * @throws DATA_DIR_IN_USE, CONFIG_INVALID, DATABASE_CORRUPT, DISK_FULL
 */
export async function openCore(
  config: Config,
  { ports = {}, sources = { flags: { dataDir: config.dataDir } }, rejected, restart }: Surroundings,
  {
    closing,
    draining,
    ending,
  }: { closing: AsyncDisposableStack; draining: (() => Promise<void>)[]; ending: AbortSignal },
): Promise<Core> {
  const lock = new DataDirLock(config.dataDir);
  await lock.open();
  closing.defer(() => lock.close());
  const { log, close } = openNodeLog(config);
  closing.defer(close);
  await keepToOwner(config.dataDir, log);
  const settings = new Settings({ config, sources, vault: ports.secrets ?? new PlainVault(), rejected, log });
  await settings.open();
  const aside = await finishRestore(config.dataDir);
  if (aside) log.warn({ aside }, 'a backup was restored: what was here before is kept aside');
  await discardStaged(config.dataDir);
  await removeUnfinished(config.dataDir);
  const identity = await loadOrCreateIdentity(config.dataDir);
  const openMark = await OpenMark.set(config.dataDir);
  closing.defer(() => openMark.remove());
  const path = dataPath(config.dataDir, 'database');
  const fileChecked = openMark.found && restart !== undefined;
  if (fileChecked) {
    log.warn('the node before did not come to its end: its database is read through before anything else');
    await checkFile(path, { spawner: ports.spawner, signal: ending });
  }
  const db = await openDatabase(path);
  closing.defer(() => db.destroy());
  const bans = new BanList({ store: new BanStore(db), log });
  await bans.open();
  closing.defer(() => bans.close());
  const changes = new Changes();
  settings.subscribe(() => changes.tell());
  return {
    config,
    settings,
    ports,
    lock,
    door: new Door(),
    identity,
    catchUp: await readCatchUp(config.dataDir),
    db,
    fileChecked,
    openMark,
    bans,
    standings: new Standings(),
    changes,
    log,
    gpus: () => listGpus({ spawner: ports.spawner }),
    until: (signal) => (signal ? AbortSignal.any([ending, signal]) : ending),
    onDrain: (drain) => void draining.push(drain),
    onClose: (close) => closing.defer(close),
  };
}
