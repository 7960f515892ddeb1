import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { MAX_CHANGES } from '../../src-preload/contract/limits.ts';
import { say, told } from '../../src-preload/contract/saying.ts';
import type { SettingsView } from '../../src-preload/contract/settings.ts';
import { errorView } from '../base/error-view.ts';
import { randomToken } from '../base/random-token.ts';
import { configError } from '../base/setting.ts';
import { Turns } from '../base/turns.ts';
import { settableSetting } from './app-layer.ts';
import {
  type AppSettings,
  appSettingsPath,
  goodSettingsPath,
  removeUnfinished,
  setAside,
  writeAppSettings,
} from './app-settings.ts';
import {
  type Config,
  type ConfigSources,
  type Layers,
  type LoadedConfig,
  merge,
  openAppLayer,
  readAppSettings,
  readGoodSettings,
  readLayers,
  readNotTaken,
  readWithheld,
  secretsAtRest,
  settle,
} from './config.ts';
import { checkFiles, checkGiven, checkTogether } from './config-check.ts';
import type { Given } from './config-layers.ts';
import type { PathAtOnce, ValueAt } from './config-schema.ts';
import { appliesAtOnce, SETTINGS, secretsOf } from './config-settings.ts';
import { viewSetting } from './config-view.ts';
import { type Followed, RunningConfig, type SettingsListener } from './running-config.ts';
import { serverOf, type WithheldSecret } from './secret-origins.ts';
import type { SecretVault } from './secret-vault.ts';

export interface SettingsOptions {
  /** What the node is opened with. */
  config: Config;
  /** Where the other layers come from: those that the configuration was loaded with. */
  sources: ConfigSources;
  vault: SecretVault;
  /** Why no node could be opened with what is set in the app: the configuration is the one to go back to. */
  rejected?: QuarryError | undefined;
  log: Logger;
}

/** Far more than any setting needs. */
const MAX_CHANGES_CHARS = 262_144;

/** What can be set in the app: reads and writes its file, and tells a running node of what takes effect at once. */
export class Settings {
  readonly #options: SettingsOptions;
  readonly #running: RunningConfig;
  /** One change after the other: each reads what the one before has written. */
  readonly #turns = new Turns();
  #rejected: QuarryError | undefined;
  /** What was set when the node began to open. */
  #atStart: AppSettings | undefined;

  constructor(options: SettingsOptions) {
    this.#options = options;
    this.#rejected = options.rejected;
    this.#running = new RunningConfig(options.config);
  }

  /** Why the node runs with what was set before; undefined when it does not, or something else is set by now. */
  get rejected(): QuarryError | undefined {
    return this.#rejected;
  }

  /** Tidies up after a crash, sets a damaged file aside, and logs what had to be left out. Wants the data folder's lock. */
  async open(): Promise<void> {
    const { log } = this.#options;
    await removeUnfinished(this.#dataDir);
    this.#atStart = await this.#read();
    const { warnings } = settle(readLayers(this.#options.sources), await this.#openLayer(this.#atStart));
    for (const warning of warnings) log.warn(warning);
    if (this.#rejected) {
      log.warn({ err: this.#rejected }, 'no node could be opened with what is set in the app: it is as it was before');
    }
  }

  /** The node is open: notes what it was opened with, for a later one to go back to. What cannot be written is logged. */
  async keepAsGood(): Promise<void> {
    const { sources, rejected, log } = this.#options;
    const settings = this.#atStart;
    if (rejected || !settings) return;
    try {
      const kept = readGoodSettings(this.#dataDir, sources);
      if (kept && isDeepStrictEqual(new Map(kept), new Map(settings))) return;
      await writeAppSettings(goodSettingsPath(this.#dataDir), settings);
    } catch (err) {
      log.warn({ err }, 'the settings that this node was opened with could not be kept');
    }
  }

  /** Every setting as it is set now: what the next start will use. @throws CONFIG_INVALID when another layer is damaged */
  async list(): Promise<SettingsView> {
    return this.#view(await this.#load());
  }

  /** Secrets that are set, but not used: they were set for another server. @throws CONFIG_INVALID when a layer is damaged */
  withheld(): WithheldSecret[] {
    return readWithheld(this.#options.sources);
  }

  /** Why something that other programs have set is left out. @throws CONFIG_INVALID when a layer is damaged */
  notTaken(): QuarryError[] {
    return readNotTaken(this.#options.sources);
  }

  /** The secrets that are in force, and those that are kept beside them: nothing that leaves this computer may hold them. */
  async secrets(): Promise<string[]> {
    const { sources, vault } = this.#options;
    return [...new Set([...secretsOf(this.#running.now), ...(await secretsAtRest(this.#dataDir, sources, vault))])];
  }

  /**
   * Sets all or none; null takes back what was set in the app. Written before it takes effect.
   * @throws CONFIG_INVALID with the setting at fault, and for one that the environment or the command line holds;
   *   BAD_REQUEST for too many changes; DISK_FULL
   */
  set({ changes }: { changes: Record<string, unknown> }): Promise<SettingsView> {
    return this.#turns.take(() => this.#set(new Map(Object.entries(changes))));
  }

  /** Makes a new API token and sets it; the server wants it from the next start on. */
  async newApiToken(): Promise<{ token: string }> {
    const token = randomToken();
    await this.set({ changes: { apiToken: token } });
    return { token };
  }

  /** The one way to a setting that takes effect at once: the configuration that a node was opened with never changes. */
  follow<Path extends PathAtOnce>(path: Path): Followed<ValueAt<Path>> {
    return this.#running.follow(path);
  }

  /** @returns what ends that */
  subscribe(listener: SettingsListener): () => void {
    return this.#running.subscribe(listener);
  }

  get #dataDir(): string {
    return this.#running.now.dataDir;
  }

  get #file(): string {
    return appSettingsPath(this.#dataDir);
  }

  async #set(changes: Map<string, unknown>): Promise<SettingsView> {
    if (changes.size > MAX_CHANGES) throw tooMuch();
    const layers = readLayers(this.#options.sources);
    const settings = new Map(await this.#read());
    const checked = this.#check(changes, layers);
    for (const [path, value] of checked) {
      if (value === null) settings.delete(path);
      else if (!settableSetting(path).secret) settings.set(path, value);
    }
    await this.#keepSecrets(checked, settings, layers);
    const loaded = merge(layers, await this.#openLayer(settings));
    checkTogether(loaded.config);
    await checkFiles(loaded.config, new Set(changes.keys()), this.#options.log);
    await writeAppSettings(this.#file, settings);
    if (![...changes.keys()].every(appliesAtOnce)) this.#rejected = undefined; // nobody has tried these
    this.#options.log.info({ changed: [...changes.keys()] }, 'settings changed in the app');
    this.#apply(loaded.config, changes);
    return this.#view(loaded);
  }

  /** It is written and in force: that one who follows it failed is no reason to say that it was not set. */
  #apply(config: Config, changes: Map<string, unknown>): void {
    try {
      this.#running.apply(config, changes);
    } catch (err) {
      this.#options.log.error({ err, changed: [...changes.keys()] }, 'a changed setting was not taken over by all');
    }
  }

  /** The changes with checked values. */
  #check(changes: Map<string, unknown>, { above }: Layers): Map<string, unknown> {
    const checked = new Map(
      [...changes].map(([path, value]) => {
        const setting = settableSetting(path);
        const holder = above.findLast((given) => given.setting === setting);
        if (holder) throw held(path, holder.origin);
        if (value === null) return [path, null] as const;
        const given = { setting, value, layer: 'app' as const, origin: 'The settings', folder: this.#dataDir };
        if (value === undefined)
          throw configError(say('settings.mustBe', { path, wanted: setting.wanted }), undefined, path);
        return [path, checkSet(given).value] as const;
      }),
    );
    if (JSON.stringify([...checked]).length > MAX_CHANGES_CHARS) throw tooMuch();
    return checked;
  }

  /** Seals the new secrets, each for the server that is set by now: it is sent to no other. */
  async #keepSecrets(checked: Map<string, unknown>, settings: Map<string, unknown>, layers: Layers): Promise<void> {
    const { config } = merge(layers, await this.#openLayer(settings));
    for (const [path, value] of checked) {
      if (value === null || !settableSetting(path).secret) continue;
      const server = serverOf(path, config);
      settings.set(path, { sealed: await this.#seal(path, String(value)), ...(server && { for: server }) });
    }
  }

  async #seal(path: string, secret: string): Promise<string> {
    try {
      return await this.#options.vault.seal(secret);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw configError(say('settings.notKept', { path, reason }), say('settings.unlock'), path);
    }
  }

  #view(loaded: LoadedConfig): SettingsView {
    const settings = SETTINGS.map((setting) => viewSetting(setting, loaded, this.#running.now));
    const restartNeeded = settings.some(({ waitsForRestart }) => waitsForRestart);
    const rejected = this.#rejected && errorView(this.#rejected);
    return { settings, restartNeeded, ...(rejected && { rejected }), file: this.#file };
  }

  async #load(): Promise<LoadedConfig> {
    const { sources } = this.#options;
    const app = await this.#openLayer(readAppSettings(this.#dataDir, sources) ?? new Map());
    return settle(readLayers(sources), app);
  }

  /** What was set so far; nothing when the file was damaged, which is then set aside. */
  async #read(): Promise<AppSettings> {
    const { sources, log } = this.#options;
    const settings = readAppSettings(this.#dataDir, sources);
    if (settings) return settings;
    const aside = await setAside(this.#dataDir);
    log.warn({ file: this.#file, aside }, 'the settings of the app were damaged and are set aside');
    return new Map();
  }

  #openLayer(settings: AppSettings) {
    return openAppLayer(this.#dataDir, settings, this.#options.vault);
  }
}

/** As {@link checkGiven}. Whoever is at the screens knows what was typed and where: they say only what is wanted. */
function checkSet(given: Given): Given {
  try {
    return checkGiven(given);
  } catch (error) {
    const { path, wanted } = given.setting;
    const { said } = told({ message: say('settings.mustBe', { path, wanted }) });
    const refused = QuarryError.from(error);
    throw new QuarryError({ ...refused.toJSON(), said: { ...refused.said, ...said } }, { cause: error });
  }
}

function held(path: string, origin: string): QuarryError {
  return configError(say('settings.held', { path, origin }), say('settings.takeAway', { origin }), path);
}

function tooMuch(): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('settings.tooMany') });
}
