import type { FoundVideo, SearchHit, VideoRef } from '../../../src-preload/contract/data.ts';
import { foundVideoSchema } from '../../../src-preload/contract/data.ts';
import type { SourceKind } from '../../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, told, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { Sentence } from '../../../src-preload/contract/saying-schema.ts';
import { backOffMs } from '../../base/back-off.ts';
import type { ClipJobStore, NewJob } from '../../store/clips/clip-jobs.ts';
import type { FoundPage } from '../sources/source.ts';
import type { Sources, TakeDowns } from './ports.ts';
import { unusableBecause } from './usable.ts';

export interface VideoSearchOptions {
  jobs: ClipJobStore;
  sources: Sources;
  takeDowns: TakeDowns;
  /** Unix milliseconds. */
  now: () => number;
}

/** How asking a source went last. */
interface Asked {
  /** Why it gave nothing; null where it did. */
  fault: Sentence | null;
  /** How often in a row it gave nothing, and when it may be asked again by itself. */
  failures: number;
  againAt: number;
}

/** What a topic is searched for. */
export interface Wanted {
  topic: string;
  sources: readonly SourceKind[];
  /** Videos that are put into the queue at the most. */
  most: number;
  cursors: Readonly<Partial<Record<SourceKind, string | null>>>;
}

/** What one look came to. */
export type Looked =
  | { state: 'looked'; added: number; cursors: Wanted['cursors'] }
  /** No source has more. */
  | { state: 'ended' }
  /** Those that may have more could not be asked. */
  | { state: 'later'; at: number; fault: Sentence };

const AGAIN = { firstMs: 30_000, longestMs: 30 * 60_000 };
/** Pages in a row that bring nothing new, after which a source has no more. */
const MOST_BARREN = 20;

/** Asks sources for videos, one page at a time, in turn. */
export class VideoSearch {
  readonly #options: VideoSearchOptions;
  readonly #asked = new Map<SourceKind, Asked>();
  readonly #barren = new Map<SourceKind, number>();
  #last = -1;

  constructor(options: VideoSearchOptions) {
    this.#options = options;
  }

  /** One page, for who looks at it. @throws what keeps the source from being asked */
  async page(kind: SourceKind, topic: string, from: string | undefined, signal: AbortSignal) {
    const { found, next } = await this.#ask(kind, topic, from, signal);
    const known = await this.#options.jobs.known(
      kind,
      found.map(({ id }) => id),
    );
    const hits: SearchHit[] = [];
    for (const video of found) {
      const reason = await unusableBecause(video, this.#options);
      hits.push({ ...video, unusable: reason ? told({ text: reason }) : null, isKnown: known.has(video.id) });
    }
    return { found: hits, next };
  }

  /** Has others begin anew: what a source had to say of another topic says nothing of this one. */
  forget(): void {
    this.#barren.clear();
    for (const asked of this.#asked.values()) Object.assign(asked, { failures: 0, againAt: 0 });
  }

  /** Asks the next source that may have more, and puts what is of use into the queue. */
  async more(wanted: Wanted, signal: AbortSignal): Promise<Looked> {
    const { now } = this.#options;
    const left = wanted.sources.filter((kind) => wanted.cursors[kind] !== null);
    if (left.length === 0) return { state: 'ended' };
    const ready = left.filter((kind) => (this.#asked.get(kind)?.againAt ?? 0) <= now());
    if (ready.length === 0) return this.#later(left);
    const kind = ready[++this.#last % ready.length] as SourceKind;
    const from = wanted.cursors[kind];
    try {
      const { found, next } = await this.page(kind, wanted.topic, from ?? undefined, signal);
      const fresh = found.filter(({ isKnown, unusable }) => !isKnown && !unusable);
      const taken = fresh.slice(0, wanted.most);
      const added = await this.add(taken, wanted.topic, { isOrdered: true });
      const goesOn = taken.length < fresh.length ? (from ?? '') : this.#next(kind, added, next);
      return { state: 'looked', added, cursors: { ...wanted.cursors, [kind]: goesOn } };
    } catch (error) {
      signal.throwIfAborted();
      if (QuarryError.from(error).retryable) return { state: 'looked', added: 0, cursors: wanted.cursors };
      return { state: 'looked', added: 0, cursors: { ...wanted.cursors, [kind]: null } };
    }
  }

  /** Puts videos into the queue. @returns how many of them were not there */
  async add(videos: readonly FoundVideo[], topic: string, { isOrdered }: { isOrdered: boolean }): Promise<number> {
    const now = this.#options.now();
    const rows = videos.flatMap((video): NewJob[] => {
      const kept = foundVideoSchema.safeParse(video).data; // without what is only for those who look at it
      if (!kept) return []; // no row of ours holds it
      return [
        {
          ...{ source: kept.source, video: kept.id, title: kept.title, topic, found: JSON.stringify(kept) },
          ...{
            is_ordered: isOrdered ? 1 : 0,
            state: 'waiting',
            reason: null,
            tries: 0,
            due_at: 0,
            bytes: 0,
            url: null,
          },
          ...{ spans: null, next_span: 0, clips: 0, created_at: now, changed_at: now },
        },
      ];
    });
    return await this.#options.jobs.add(rows);
  }

  /** What a source says of one video now, and whether a clip may be made of it. */
  async look(
    { source, id }: VideoRef,
    signal: AbortSignal,
  ): Promise<{ video: FoundVideo; unusable: Saying | undefined } | undefined> {
    const video = await this.#options.sources.get(source).look(id, signal);
    return video ? { video, unusable: await unusableBecause(video, this.#options) } : undefined;
  }

  #next(kind: SourceKind, added: number, next: string | null): string | null {
    const barren = added > 0 ? 0 : (this.#barren.get(kind) ?? 0) + 1;
    this.#barren.set(kind, barren);
    return barren < MOST_BARREN ? next : null;
  }

  #later(kinds: readonly SourceKind[]): Looked {
    const waiting = kinds.flatMap((kind) => this.#asked.get(kind) ?? []);
    const first = waiting.toSorted((one, other) => one.againAt - other.againAt)[0];
    if (!first?.fault) return { state: 'ended' };
    return { state: 'later', at: first.againAt, fault: first.fault };
  }

  async #ask(kind: SourceKind, topic: string, from: string | undefined, signal: AbortSignal): Promise<FoundPage> {
    const { sources, now } = this.#options;
    try {
      const page = await sources.get(kind).search(topic, { from: from || undefined, signal });
      this.#asked.set(kind, { fault: null, failures: 0, againAt: 0 });
      return page;
    } catch (error) {
      signal.throwIfAborted();
      const named = QuarryError.from(error);
      const failures = (this.#asked.get(kind)?.failures ?? 0) + 1;
      const waitMs = Math.max(backOffMs(failures, AGAIN), named.retryAfterMs ?? 0);
      const fault = told({ text: wordsOf(named, 'message') });
      this.#asked.set(kind, { fault, failures, againAt: now() + waitMs });
      throw error;
    }
  }
}
