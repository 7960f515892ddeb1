import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { writeAtomically } from '../base/atomic-file.ts';
import { dataPath } from '../base/data-folder.ts';
import { ifMissing, ignoring } from '../base/swallowed.ts';
import { version } from '../base/version.ts';
import { isNewer, latestRelease } from './latest-release.ts';

const DAY_MS = 86_400_000;

/** What is kept, so that a node which is started often does not ask often. */
const keptSchema = z.object({
  /** When somebody was asked last, in Unix milliseconds, whether or not he answered. */
  askedAt: z.number().min(0),
  latest: z.string().max(30).optional(),
});

export interface UpdateState extends z.infer<typeof keptSchema> {
  /** Why nothing is known since the last time. */
  failure?: string;
}

export interface UpdateWatchOptions {
  dataDir: string;
  url: string;
  log: Logger;
  fetch?: typeof globalThis.fetch;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

/** Asks once a day at most, also across restarts, whether there is a newer version, and tells of it. A resource. */
export class UpdateWatch {
  readonly #options: UpdateWatchOptions;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  #state: UpdateState = { askedAt: 0 };
  #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void> | undefined;

  constructor(options: UpdateWatchOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get state(): UpdateState {
    return this.#state;
  }

  /** The newer version that there is; null where there is none, undefined while nobody knows. */
  get newer(): string | null | undefined {
    return newerOf(this.#state);
  }

  /** Reads what was heard last, and asks when a day has gone by since. Idempotent. */
  async open(): Promise<void> {
    if (this.#timer || this.#closing.signal.aborted) return;
    this.#state = await read(this.#options.dataDir);
    this.#plan();
  }

  /** Ends what is being asked. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#asking;
  }

  /** A clock that was set back must not keep it waiting for longer than a day. */
  #plan(): void {
    if (this.#closing.signal.aborted) return;
    const waitMs = Math.min(DAY_MS, Math.max(0, this.#state.askedAt + DAY_MS - this.#now()));
    this.#timer = setTimeout(() => {
      this.#asking = this.#ask().finally(() => this.#plan());
    }, waitMs).unref();
  }

  async #ask(): Promise<void> {
    const { url, fetch, log } = this.#options;
    const { signal } = this.#closing;
    const { latest } = this.#state;
    this.#state = { askedAt: this.#now(), latest };
    try {
      this.#state.latest = await latestRelease(url, { ...(fetch && { fetch }), signal });
      if (this.newer) log.warn({ newer: this.newer, version }, 'there is a newer version of Quarry');
    } catch (err) {
      if (signal.aborted) return;
      this.#state.failure = reasonOf(err);
      log.warn(
        { host: new URL(url).host, reason: this.#state.failure },
        'nobody says whether there is a newer version',
      );
    }
    await writeAtomically(fileIn(this.#options.dataDir), JSON.stringify(keptSchema.parse(this.#state)), 0o600).catch(
      ignoring('then the next start asks again'),
    );
  }
}

/** The newer version that a node on this data folder has heard of last; null where there was none, undefined where it never heard of any. */
export async function newerHeardOf(dataDir: string): Promise<string | null | undefined> {
  return newerOf(await read(dataDir));
}

const fileIn = (dataDir: string) => dataPath(dataDir, 'updateCheck');

function newerOf({ latest }: UpdateState): string | null | undefined {
  if (latest === undefined) return undefined;
  return isNewer(latest, version) ? latest : null;
}

async function read(dataDir: string): Promise<UpdateState> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(ifMissing);
  try {
    return keptSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return { askedAt: 0 }; // it was never asked, or the file says nothing
  }
}

/** Of `fetch failed` the cause says more. What a server wrote is in none of them. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message ? cause.message.slice(0, 200) : message.slice(0, 200);
}
