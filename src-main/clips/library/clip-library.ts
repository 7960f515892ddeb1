import type { Clip, ClipFilter, Submission } from '../../../src-preload/contract/data.ts';
import { CLIP_PATH, POSTER_NAME } from '../../../src-preload/contract/data-limits.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Changes } from '../../base/changes.ts';
import { type Lasts, Tickets } from '../../base/tickets.ts';
import type { ClipVectorKind } from '../../store/clips/clip-tables.ts';
import type { ClipStore, ClipsWanted, StoredClip } from '../../store/clips/clips.ts';
import { removeGone } from '../mining/clean-up.ts';
import type { ClipFolder } from '../mining/clip-folder.ts';
import { textVectors } from '../mining/clip-vectors.ts';
import type { ClipModels } from '../models/clip-models.ts';
import { clipView } from './clip-view.ts';
import type { ClipIndex, Scorer } from './ports.ts';
import { textQuery } from './text-query.ts';

export interface ClipLibraryOptions {
  store: ClipStore;
  folder: ClipFolder;
  /** Undefined where clips become no numbers. */
  models: () => ClipModels | undefined;
  index: ClipIndex | undefined;
  scorer: Scorer | undefined;
  changes: Changes;
  /** Unix milliseconds. */
  now: () => number;
}

/** A page of the library. */
export interface ClipPage {
  clips: Clip[];
  /** Where the next one begins; null after the last. */
  next: string | null;
  /** How many there are in all; null where that was not counted. */
  total: number | null;
}

/** Nearest clips that are looked through for those that a filter lets pass. */
const MOST_NEAR = 2_000;
/** More at once than a database likes to be asked for. */
const AT_ONCE = 200;

/** The clips there are. */
export class ClipLibrary {
  readonly #options: ClipLibraryOptions;
  readonly #tickets: Tickets;

  constructor(options: ClipLibraryOptions) {
    this.#options = options;
    this.#tickets = new Tickets(options.now, CLIP_PATH);
  }

  /** The newest first; with `about` or `like` the nearest. @throws BAD_REQUEST for a place that is none; UNSUPPORTED without models */
  async list({ about, like, cursor, rows = 30, ...filter }: ClipFilter, signal: AbortSignal): Promise<ClipPage> {
    const match = filter.text ? textQuery(filter.text) : undefined;
    if (filter.text && match === undefined) return { clips: [], next: null, total: 0 };
    const wanted: ClipsWanted = { ...filter, match };
    const at = placeIn(cursor);
    if (about !== undefined || like !== undefined)
      return await this.#nearest({ about, like }, wanted, { at: at ?? 0, rows }, signal);
    const found = await this.#options.store.page(wanted, at, rows + 1);
    const clips = found.slice(0, rows);
    const isAll = Object.values(wanted).every((one) => one === undefined);
    return {
      clips: clips.map((row) => clipView(row)),
      next: found.length > rows ? String(clips.at(-1)?.number) : null,
      total: isAll ? (await this.#options.store.sums()).rows : null,
    };
  }

  /** @throws BAD_REQUEST where there is none */
  async get(clip: string): Promise<Clip> {
    return clipView(await this.#found(clip));
  }

  /** In the user's own words; what they are as numbers is reckoned anew, and what it is worth. */
  async describe(clip: string, description: string, signal: AbortSignal): Promise<Clip> {
    const { store, models, changes } = this.#options;
    const { number, space, topic } = await this.#found(clip);
    const known = models();
    const fits = known !== undefined && known.space === space ? known : undefined;
    const vectors = fits ? await textVectors(description, fits, signal) : {};
    await store.describe(number, { description, by: 'user', space: fits ? space : null, vectors });
    if (fits && this.#options.scorer) await this.score(topic, [clip], signal);
    changes.tell();
    return await this.get(clip);
  }

  /** With its files. */
  async remove(clip: string): Promise<void> {
    const { store, folder, changes } = this.#options;
    await store.remove(await this.#found(clip));
    await removeGone(store, folder);
    changes.tell();
  }

  /** A way to a clip and to its picture. @param lasts as of {@link Tickets.give} */
  async play(clip: string, lasts?: Lasts): Promise<{ video: string; poster: string }> {
    const { container } = await this.#found(clip);
    const { path } = this.#tickets.give(`${clip}.${container}`, lasts);
    return { video: path, poster: `${path}/${POSTER_NAME}` };
  }

  /** Where the file lies that a ticket is for; undefined for one that is not valid. */
  fileOf(ticket: string, kind: 'video' | 'poster'): { path: string; container: string } | undefined {
    const [clip = '', container = ''] = this.#tickets.subjectOf(ticket)?.split('.') ?? [];
    if (clip === '') return undefined;
    const { folder } = this.#options;
    return { path: kind === 'poster' ? folder.poster(clip) : folder.video({ clip, container }), container };
  }

  /** What clips would be worth as one submission. One alone keeps what it is worth for its own topic. @throws UNSUPPORTED without models */
  async score(
    topic: string,
    clips: readonly string[],
    signal: AbortSignal,
  ): Promise<Pick<Submission, 'topic' | 'score' | 'reason' | 'clips'>> {
    const { scorer, store } = this.#options;
    const models = this.#models();
    if (!scorer) throw noModels();
    const rows = await Promise.all(clips.map((clip) => this.#found(clip)));
    const scored = await Promise.all(
      rows.map(async (row) => ({ row, vectors: await store.vectors(row.number, models.space) })),
    );
    const submission = await scorer.score(topic, scored, models, signal);
    for (const [at, { score }] of submission.clips.entries()) {
      const row = rows[at];
      if (row && score && row.topic === topic) await store.setScore(row.clip, JSON.stringify(score));
    }
    return submission;
  }

  async #nearest(
    to: { about: string | undefined; like: string | undefined },
    wanted: ClipsWanted,
    { at, rows }: { at: number; rows: number },
    signal: AbortSignal,
  ): Promise<ClipPage> {
    const { index } = this.#options;
    const models = this.#models();
    if (!index) throw noModels();
    const like = to.like === undefined ? undefined : await this.#found(to.like);
    const vector = like ? await this.#seen(like, models) : await aboutVector(to.about ?? '', models, signal);
    const kind: ClipVectorKind = 'seen';
    const near = await index.nearest(vector, { space: models.space, kind, count: MOST_NEAR, signal });
    const others = near.filter(({ clip }) => clip !== like?.number);
    const clips: Clip[] = [];
    let place = at;
    for (; place < others.length && clips.length < rows; place += AT_ONCE) {
      const part = others.slice(place, place + AT_ONCE);
      const passed = await this.#passing(part, wanted);
      const room = rows - clips.length;
      clips.push(...passed.slice(0, room).map(({ view }) => view));
      const last = passed[room - 1];
      if (last && passed.length > room) return { clips, next: String(place + last.at + 1), total: null };
    }
    return { clips, next: place < others.length ? String(place) : null, total: null };
  }

  async #passing(near: readonly { clip: number; closeness: number }[], wanted: ClipsWanted) {
    const found = await this.#options.store.numbered(
      near.map(({ clip }) => clip),
      wanted,
    );
    const rows = new Map(found.map((row) => [row.number, row]));
    return near.flatMap(({ clip, closeness }, at) => {
      const row = rows.get(clip);
      return row ? [{ at, view: clipView(row, closeness) }] : [];
    });
  }

  /** @throws BAD_REQUEST where the clip is no numbers of these models */
  async #seen({ number }: StoredClip, { space }: ClipModels): Promise<Float32Array> {
    const { seen } = await this.#options.store.vectors(number, space);
    if (seen) return seen;
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('clips.notInSpace'), field: 'like' });
  }

  #models(): ClipModels {
    const models = this.#options.models();
    if (models) return models;
    throw noModels();
  }

  async #found(clip: string): Promise<StoredClip> {
    const row = await this.#options.store.get(clip);
    if (row) return row;
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('clips.unknown', { clip }), field: 'clip' });
  }
}

async function aboutVector(about: string, models: ClipModels, signal: AbortSignal): Promise<Float32Array> {
  const [vectors] = await models.texts([about], signal);
  if (!vectors) throw new Error('the models gave no numbers for a text');
  return vectors.seen;
}

/** @throws BAD_REQUEST */
function placeIn(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('clips.noPlace'), field: 'cursor' });
}

const noModels = () =>
  new QuarryError({ code: 'UNSUPPORTED', message: say('clips.noModels'), hint: say('clips.noModels.hint') });
