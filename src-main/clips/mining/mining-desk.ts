import type { DataAbility, DataJob, DataSource, DataState, VideoRef } from '../../../src-preload/contract/data.ts';
import type { JobState, SourceKind } from '../../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Changes } from '../../base/changes.ts';
import { watched } from '../../base/watched.ts';
import type { ClipJobStore } from '../../store/clips/clip-jobs.ts';
import type { ClipStore } from '../../store/clips/clips.ts';
import { noMedia } from '../media/media-words.ts';
import type { ClipTools } from '../models/clip-tools.ts';
import { jobView } from './job-view.ts';
import { keptSources } from './kept-order.ts';
import type { Miner } from './miner.ts';
import type { Sources } from './ports.ts';
import type { VideoSearch } from './video-search.ts';

export interface MiningDeskOptions {
  jobs: ClipJobStore;
  clips: ClipStore;
  library: { readonly version: number };
  renumbering: { readonly progress: number | null };
  miner: Miner;
  search: VideoSearch;
  sources: Sources;
  tools: Pick<ClipTools, 'media' | 'models'>;
  /** What finding and describing is made of, and what is lost where some of it is missing. */
  abilities: () => Promise<DataAbility[]>;
  budget: () => number;
  changes: Changes;
}

/** What people see of mining, and have it do. */
export class MiningDesk {
  readonly #options: MiningDeskOptions;

  constructor(options: MiningDeskOptions) {
    this.#options = options;
  }

  /** Now, and whenever it changes. */
  watch(signal: AbortSignal): AsyncGenerator<DataState, void, undefined> {
    return watched(() => this.state(), this.#options.changes, signal);
  }

  async state(): Promise<DataState> {
    const { jobs, clips, library, renumbering, miner, tools, abilities, budget } = this.#options;
    const [sums, made, order, going] = [await jobs.sums(), await clips.sums(), await jobs.order(), await jobs.going()];
    const { topic, most, made: ofOrder } = order ?? { topic: null, most: 0, made: 0 };
    return {
      ...miner.state,
      order: order && topic !== null ? { topic, sources: keptSources(order.sources), most, made: ofOrder } : null,
      jobs: sums.rows,
      now: going.map((row) => jobView(row, miner.progressOf(row.number))),
      clips: made.rows,
      clipsVersion: library.version,
      bytes: made.bytes + sums.bytes,
      reckoning: renumbering.progress,
      diskBudget: budget(),
      space: tools.models()?.space ?? null,
      abilities: await abilities(),
    };
  }

  sources(): DataSource[] {
    return this.#options.sources.list();
  }

  /** Looks for clips of a topic. @param kinds default: all sources that can be asked @throws BAD_REQUEST where none can be; ENGINE_UNAVAILABLE where no program reads videos */
  async mine(topic: string, kinds: readonly SourceKind[] | undefined, most: number): Promise<void> {
    const { sources, miner, tools } = this.#options;
    for (const kind of kinds ?? []) sources.get(kind);
    const asked = kinds ?? sources.ready;
    if (asked.length === 0)
      throw new QuarryError({ code: 'BAD_REQUEST', message: say('clips.noSource'), hint: say('clips.noSource.hint') });
    if (!(await tools.media())) throw noMedia();
    await miner.mine({ topic, sources: asked, most });
  }

  /** Has clips made of videos that somebody chose. @throws what keeps a source from being asked */
  async enqueue(videos: readonly VideoRef[], topic: string, signal: AbortSignal) {
    const { search, miner, jobs, changes } = this.#options;
    const counts = { added: 0, known: 0, unusable: 0 };
    for (const ref of videos) {
      if ((await jobs.known(ref.source, [ref.id])).size > 0) {
        counts.known++;
        continue;
      }
      const looked = await search.look(ref, signal);
      if (!looked || looked.unusable) counts.unusable++;
      else counts.added += await search.add([looked.video], topic, { isOrdered: false });
    }
    if (counts.added > 0) await miner.resume();
    changes.tell();
    return counts;
  }

  /** The newest first. */
  async jobs({ state, before, rows }: { state?: JobState | undefined; before?: number | undefined; rows: number }) {
    const found = await this.#options.jobs.page({ state, before, limit: rows + 1 });
    const jobs = found.slice(0, rows).map((row): DataJob => jobView(row, this.#options.miner.progressOf(row.number)));
    return { jobs, next: found.length > rows ? (jobs.at(-1)?.number ?? null) : null };
  }
}
