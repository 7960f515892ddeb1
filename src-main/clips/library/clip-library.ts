import type { Clip, ClipFilter, Submission } from '../../../src-preload/contract/data.ts';
import { CLIP_PATH, POSTER_NAME } from '../../../src-preload/contract/data-limits.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Changes } from '../../base/changes.ts';
import { type Lasts, Tickets } from '../../base/tickets.ts';
import type { ClipStore, ClipsWanted, StoredClip } from '../../store/clips/clips.ts';
import { type ClipIndex, MOST_NEAREST } from '../index/clip-index.ts';
import type { Near } from '../index/shelf.ts';
import type { ClipFolder } from '../kept/clip-folder.ts';
import { removeGone } from '../kept/gone-clips.ts';
import type { ClipModels } from '../models/clip-models.ts';
import { noModels } from '../models/no-models.ts';
import { textVectors } from '../reading/vectors-by-kind.ts';
import { clipView } from './clip-view.ts';
import type { Scorer } from './ports.ts';
import { textQuery } from './text-query.ts';

export interface ClipLibraryOptions {
  store: ClipStore;
  folder: ClipFolder;
  /** Undefined where clips become no numbers. */
  models: () => ClipModels | undefined;
  index: Pick<ClipIndex, 'nearest' | 'add' | 'remove'>;
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

/** By what is seen in them clips are near to each other, and to words; sounds by what is heard. */
const [NEAR_BY, HEARD] = ['seen', 'heard'] as const;
/** More at once than a database likes to be asked for. */
const AT_ONCE = 200;

/** The clips there are. */
export class ClipLibrary {
  readonly #options: ClipLibraryOptions;
  readonly #tickets: Tickets;
  #version = 0;

  constructor(options: ClipLibraryOptions) {
    this.#options = options;
    this.#tickets = new Tickets(options.now, CLIP_PATH);
  }

  /** Another one whenever a list of clips may look different. */
  get version(): number {
    return this.#version;
  }

  /** The newest first; with `about` or `like` the nearest. @throws BAD_REQUEST for a place that is none; ENGINE_UNAVAILABLE without models */
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

  /** There is one more: it can be found by what is seen in it, and is scored for its own topic. */
  async added(clip: string, signal: AbortSignal): Promise<void> {
    const { store, index, scorer, models } = this.#options;
    this.#tell();
    const row = await store.get(clip);
    if (!row || row.space === null) return;
    const { seen, heard } = await store.vectors(clip, row.space);
    if (seen) await index.add({ space: row.space, kind: NEAR_BY }, [{ id: clip, vector: seen }]);
    if (heard) await index.add({ space: row.space, kind: HEARD }, [{ id: clip, vector: heard }]);
    if (seen && scorer && models()?.space === row.space) await this.score(row.topic, [clip], signal);
  }

  /** In the user's own words; what they are as numbers is reckoned anew, and what it is worth. */
  async describe(clip: string, description: string, signal: AbortSignal): Promise<Clip> {
    const { store, models } = this.#options;
    const { space, topic } = await this.#found(clip);
    const known = models();
    const fits = known !== undefined && known.space === space ? known : undefined;
    const vectors = fits ? await textVectors(description, fits, signal) : {};
    await store.describe(clip, { description, by: 'user', space: fits ? space : null, vectors });
    this.#tell();
    if (fits && this.#options.scorer) await this.score(topic, [clip], signal);
    return await this.get(clip);
  }

  /** With its files. */
  async remove(clip: string): Promise<void> {
    const { store, folder } = this.#options;
    const row = await this.#found(clip);
    await store.remove(row);
    await removeGone(store, folder);
    const { space } = row;
    if (space !== null) for (const kind of [NEAR_BY, HEARD]) await this.#options.index.remove({ space, kind }, [clip]);
    this.#tell();
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

  /**
   * What clips would be worth as one submission. One alone keeps what it is worth for its own topic; among others it may count for nothing that counts alone.
   * @throws ENGINE_UNAVAILABLE without models; BAD_REQUEST for one that is not there, or is named twice
   */
  async score(
    topic: string,
    clips: readonly string[],
    signal: AbortSignal,
  ): Promise<Pick<Submission, 'topic' | 'score' | 'reason' | 'clips'>> {
    const { scorer, store } = this.#options;
    const models = this.#models();
    if (!scorer) throw noModels();
    const twice = clips.find((clip, at) => clips.indexOf(clip) < at);
    if (twice !== undefined) throw namedTwice(twice);
    const rows = await Promise.all(clips.map((clip) => this.#found(clip)));
    const scored = await Promise.all(
      rows.map(async (row) => ({ row, vectors: await store.vectors(row.clip, models.space) })),
    );
    const submission = await scorer.score(topic, scored, models, signal);
    const [[row], [scoredClip]] = [rows, submission.clips];
    if (rows.length === 1 && row?.topic === topic && scoredClip?.score) {
      await store.setScore(row.clip, JSON.stringify(scoredClip.score));
      this.#tell();
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
    const { about = '', like } = to;
    const vector = like === undefined ? await aboutVector(about, models, signal) : await this.#seen(like, models);
    const of = { space: models.space, kind: NEAR_BY, count: MOST_NEAREST, except: like === undefined ? [] : [like] };
    const [near = []] = await index.nearest([vector], of);
    const clips: Clip[] = [];
    let place = at;
    for (; place < near.length && clips.length < rows; place += AT_ONCE) {
      const part = near.slice(place, place + AT_ONCE);
      const passed = await this.#passing(part, wanted);
      const room = rows - clips.length;
      clips.push(...passed.slice(0, room).map(({ view }) => view));
      const last = passed[room - 1];
      if (last && passed.length > room) return { clips, next: String(place + last.at + 1), total: null };
    }
    return { clips, next: place < near.length ? String(place) : null, total: null };
  }

  async #passing(near: readonly Near[], wanted: ClipsWanted) {
    const ids = near.map(({ id }) => id);
    const rows = new Map((await this.#options.store.several(ids, wanted)).map((row) => [row.clip, row]));
    return near.flatMap(({ id, closeness }, at) => {
      const row = rows.get(id);
      return row ? [{ at, view: clipView(row, closeness) }] : [];
    });
  }

  /** @throws BAD_REQUEST where the clip is not there, or no numbers of these models */
  async #seen(clip: string, { space }: ClipModels): Promise<Float32Array> {
    const { seen } = await this.#options.store.vectors((await this.#found(clip)).clip, space);
    if (seen) return seen;
    throw new QuarryError({ code: 'BAD_REQUEST', message: say('clips.notInSpace'), field: 'like' });
  }

  #tell(): void {
    this.#version++;
    this.#options.changes.tell();
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

const namedTwice = (clip: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say('clips.namedTwice', { clip }), field: 'clips' });
