import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { ignoring } from '../base/swallowed.ts';
import { Turns } from '../base/turns.ts';
import { type Config, type ConfigSources, loadGoodConfig, loadNodeConfig } from '../settings/config.ts';
import { PlainVault } from '../settings/secret-vault.ts';
import type { App } from './app.ts';
import { createApp } from './create-app.ts';
import { type WantedParts, wantedParts } from './domains.ts';
import type { HostPorts } from './host/host-ports.ts';

export interface NodeHostOptions {
  /** Where the configuration is read from; anew at every restart. */
  sources: ConfigSources;
  /** What a node of this configuration opens. Default: {@link wantedParts}. */
  parts?: (config: Config) => WantedParts;
  ports?: HostPorts;
}

export interface NodeHostEvents {
  /** The data folder is this node's, and can be used; its parts are opened next. */
  begun: [];
  /** Somebody asked the node to end, with the program around it: whoever runs the program ends it, and closes this host. */
  stop: [];
  /** A node is open; after a restart it is another one than before. */
  open: [app: App];
  /** The node is about to close. */
  close: [app: App];
  /** A restart failed: there is no node until {@link NodeHost.open} succeeds. */
  failed: [error: QuarryError];
}

/** Keeps one node, and can replace it by one with the settings of now. A resource. */
export class NodeHost extends EventEmitter<NodeHostEvents> {
  readonly #options: NodeHostOptions;
  #app: App | undefined;
  /** One after the other: a node must be closed before the next one may have its data folder. */
  readonly #turns = new Turns();
  /** A restart that has not begun. */
  #waiting: Promise<void> | undefined;
  #closed = false;

  constructor(options: NodeHostOptions) {
    super();
    this.#options = options;
  }

  /** The node that is open now. */
  get app(): App | undefined {
    return this.#app;
  }

  /**
   * Opens the node if there is none, with what was set before if need be: see {@link restart}.
   * @throws what createApp and the configuration throw
   */
  open(): Promise<void> {
    return this.#turns.take(() => this.#open());
  }

  /**
   * Closes the node and opens another with the settings of now; who asks while a restart waits for its turn gets that one.
   * When only what was set in the app stands in its way, the new node has what was set before: its `settings.rejected` says
   * why. Any other failure is told by the event `failed`.
   */
  restart(): Promise<void> {
    this.#waiting ??= this.#turns.take(() => this.#restart());
    return this.#waiting;
  }

  /**
   * Before {@link close}, where there is time: lets what the node does come to its end, for as long as the setting `drainSeconds` says,
   * while it takes nothing new.
   */
  async drain(): Promise<void> {
    const app = this.#app;
    if (!app) return;
    const waiting = new AbortController();
    const enough = sleep(app.config.drainSeconds * 1_000, undefined, { signal: waiting.signal });
    await Promise.race([app.drain(), enough]);
    waiting.abort();
    await enough.catch(ignoring('all came to its end in time'));
  }

  /** Idempotent; nothing opens after it. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#turns.take(() => this.#close());
  }

  async #restart(): Promise<void> {
    this.#waiting = undefined;
    try {
      await this.#close();
      await this.#open();
    } catch (error) {
      this.emit('failed', QuarryError.from(error));
    }
  }

  async #open(): Promise<void> {
    if (this.#app || this.#closed) return;
    const app = await this.#openNode();
    await app.settings.keepAsGood();
    this.#app = app;
    this.emit('open', app);
  }

  /**
   * A node with the settings of now. Where it cannot be opened, perhaps for what was set in the app, it is one with what was
   * set there before: whoever is far away could not mend it otherwise.
   */
  async #openNode(): Promise<App> {
    const { sources, ports = {} } = this.#options;
    const vault = ports.secrets ?? new PlainVault();
    try {
      return await this.#create(await loadNodeConfig(sources, vault));
    } catch (error) {
      const good = await loadGoodConfig(sources, vault).catch(ignoring('the failure of today’s settings says more'));
      if (!good || this.#closed) throw error;
      return await this.#create(good, QuarryError.from(error)).catch(() => {
        throw error;
      });
    }
  }

  #create(config: Config, rejected?: QuarryError): Promise<App> {
    const { sources, parts = wantedParts, ports = {} } = this.#options;
    const restart = () => void this.restart();
    const stop = () => void this.emit('stop');
    const onCore = () => void this.emit('begun');
    return createApp(config, parts(config), { ports, sources, rejected, restart, stop, onCore });
  }

  async #close(): Promise<void> {
    const app = this.#app;
    if (!app) return;
    this.#app = undefined;
    this.emit('close', app);
    await app[Symbol.asyncDispose]();
  }
}
