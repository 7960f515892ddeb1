import { setImmediate as aTurn, setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ignoring } from '../../base/swallowed.ts';
import type { ClipStore, StoredClip } from '../../store/clips/clips.ts';
import type { ClipFolder } from '../kept/clip-folder.ts';
import type { MediaTool } from '../media/media.ts';
import type { ClipModels } from '../models/clip-models.ts';
import type { ClipTools, Conditions } from '../models/clip-tools.ts';
import { fileVectors, textVectors } from '../reading/vectors-by-kind.ts';

export interface RenumberingOptions {
  store: Pick<ClipStore, 'get' | 'reckoned' | 'setVectors' | 'forgetScores' | 'lastNumber'>;
  folder: Pick<ClipFolder, 'video'>;
  tools: Pick<ClipTools, 'media' | 'models'>;
  conditions: Conditions;
  /** Has a clip found and scored by its numbers: one that has new ones, or that nobody came to score. @throws what keeps it from that */
  onDone: (clip: string, signal: AbortSignal) => Promise<void>;
  log: Logger;
  /** Milliseconds until it looks again whether there is something to do. Default: a minute. */
  everyMs?: number;
}

const EVERY_MS = 60_000;
/** Clips that are looked at together. */
const AT_ONCE = 500;
/** Clips whose scores are forgotten together: their rows are written anew, and 500 with descriptions as long as may be would hold everything up for a quarter of a second. */
const FORGOTTEN_AT_ONCE = 64;

/** What clips are reckoned by. */
interface By {
  media: MediaTool;
  models: ClipModels;
}

/**
 * Reckons the vectors of clips anew that were made without models, or by other ones than those of now, and has those scored that a node died before scoring: one clip after the other, when nothing
 * speaks against it. One that cannot be read keeps what it has until the next start. A resource.
 */
export class Renumbering {
  readonly #options: RenumberingOptions;
  readonly #closing = new AbortController();
  /** By space, the number of the last clip that was looked at: what comes later was made with the models of its time. */
  #looked = new Map<string, number>();
  #going: Promise<void> | undefined;
  #again = new AbortController();
  #progress: number | null = null;

  constructor(options: RenumberingOptions) {
    this.#options = options;
  }

  /** Begins, in the background. Idempotent. */
  open(): void {
    this.#going ??= this.#loop(this.#closing.signal);
  }

  /** How far it is through the library, 0 to 1; null while there is nothing to do, or something speaks against it. */
  get progress(): number | null {
    return this.#progress;
  }

  /** Has all clips scored anew, from the first one on: what is reckoned of them stays. @throws the reason of its end where it is closed amid it */
  async scoreAnew(): Promise<void> {
    let after: number | undefined = 0;
    while (after !== undefined) {
      this.#closing.signal.throwIfAborted();
      after = await this.#options.store.forgetScores(after, FORGOTTEN_AT_ONCE);
      await aTurn();
    }
    this.#looked = new Map();
    this.#again.abort();
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#going;
  }

  /** Never throws. */
  async #loop(signal: AbortSignal): Promise<void> {
    const { everyMs = EVERY_MS, log } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#round(signal);
      } catch (err) {
        if (!signal.aborted) log.warn({ err }, 'clips: vectors are not reckoned anew');
      }
      this.#progress = null;
      const [{ signal: again }, either] = [this.#again, ignoring('it is closed, or there is something to do')];
      await pause(everyMs, undefined, { signal: AbortSignal.any([signal, again]) }).catch(either);
      if (again.aborted) this.#again = new AbortController();
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { store, tools, conditions } = this.#options;
    while (!signal.aborted) {
      const [media, models] = [await tools.media(), tools.models()];
      if (!media || !models || conditions.against().length > 0) return;
      const [{ space }, looked] = [models, this.#looked];
      const some = await store.reckoned(looked.get(space) ?? 0, AT_ONCE);
      if (some.length === 0) return;
      const undone = some.find((one) => one.space !== space || !one.isScored);
      const row = undone && (await store.get(undone.clip));
      if (row) this.#progress = row.number / (await store.lastNumber());
      if (row) await this.#clip(row, { media, models }, signal);
      looked.set(space, (undone ?? some.at(-1))?.number ?? 0);
      await aTurn(); // SQLite answers in this very turn, and of a large library all may be done
    }
  }

  async #clip(row: StoredClip, { media, models }: By, signal: AbortSignal): Promise<void> {
    const { store, folder, onDone, log } = this.#options;
    try {
      if (row.space !== models.space) {
        const vectors = {
          ...(await fileVectors(folder.video(row), { media, models, signal })),
          ...(await textVectors(row.description, models, signal)),
        };
        if (!(await store.setVectors(row, models.space, vectors))) return; // its words are others by now
      }
      await onDone(row.clip, signal);
    } catch (err) {
      signal.throwIfAborted();
      log.warn({ err, clip: row.clip }, 'clips: a clip is not reckoned anew, or not scored');
    }
  }
}
