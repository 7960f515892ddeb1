import { isDeepStrictEqual } from 'node:util';
import { ListenerSet } from '../base/listener-set.ts';
import { contradiction } from './config-check.ts';
import type { Config, PathAtOnce, ValueAt } from './config-schema.ts';
import { appliesAtOnce, frozen, place, SETTINGS, valueAt } from './config-settings.ts';

/** Called after settings have changed that take effect at once. @param changed their paths */
export type SettingsListener = (changed: readonly string[]) => void;

/** A setting that takes effect at once, or a table of such. */
export interface Followed<Value> {
  /** As it is in force at this moment. */
  readonly now: Value;
  /** Calls back with the new value whenever it, or one below it, was set to another: not for what it is at the start. */
  whenSet(apply: (value: Value) => void): void;
}

/** What a node runs with. A change puts another configuration in the place of this one, which is frozen. */
export class RunningConfig {
  readonly #listeners = new ListenerSet<Parameters<SettingsListener>>();
  #now: Config;

  constructor(config: Config) {
    this.#now = frozen(config);
  }

  get now(): Config {
    return this.#now;
  }

  follow<Path extends PathAtOnce>(path: Path): Followed<ValueAt<Path>> {
    const now = () => valueAt(this.#now, path) as ValueAt<Path>;
    return {
      get now() {
        return now();
      },
      whenSet: (apply) => {
        this.subscribe((changed) => {
          if (changed.some((one) => one === path || one.startsWith(`${path}.`))) apply(now());
        });
      },
    };
  }

  /** @returns what ends that */
  subscribe(listener: SettingsListener): () => void {
    return this.#listeners.subscribe(listener);
  }

  /**
   * Puts in force what was set now and takes effect at once, with whatever else of `wanted` it is only right together with;
   * what else a file says by now waits.
   * @param wanted a configuration without a contradiction
   * @throws what a listener threw; the settings are in force, and all the others know
   */
  apply(wanted: Config, changes: ReadonlyMap<string, unknown>): void {
    const set = SETTINGS.map(({ path }) => path).filter((path) => changes.has(path) && appliesAtOnce(path));
    const changed = this.#together(wanted, set).filter(
      (path) => !isDeepStrictEqual(valueAt(this.#now, path), valueAt(wanted, path)),
    );
    if (changed.length === 0) return;
    this.#now = frozen(this.#with(wanted, changed));
    this.#listeners.tell(changed);
  }

  /** These paths, and those without which they would contradict what runs; none where one of those waits for a restart. */
  #together(wanted: Config, paths: string[]): string[] {
    const found = contradiction(this.#with(wanted, paths));
    if (!found) return paths;
    const more = found.between.filter((path) => appliesAtOnce(path) && !paths.includes(path));
    return more.length > 0 ? this.#together(wanted, [...paths, ...more]) : [];
  }

  #with(wanted: Config, paths: string[]): Config {
    const config = structuredClone(this.#now);
    for (const path of paths) place(config, path, valueAt(wanted, path));
    return config;
  }
}
