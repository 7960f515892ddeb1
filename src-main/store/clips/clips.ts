import { type Insertable, sql } from 'kysely';
import type { VideoRef } from '../../../src-preload/contract/data.ts';
import type { Describer, Licence, SourceKind } from '../../../src-preload/contract/data-names.ts';
import { bytesOf, numbersOf } from '../../base/packed-numbers.ts';
import type { Db } from '../database.ts';
import type { ClipRow, ClipVectorKind } from './clip-tables.ts';
import { newestInParts, type Stretch } from './newest-in-parts.ts';

export type StoredClip = Omit<ClipRow, 'number'> & { number: number };
export type NewClip = Omit<Insertable<ClipRow>, 'number'>;
export type ClipVectorsByKind = Partial<Record<ClipVectorKind, Float32Array>>;

export interface ClipsWanted {
  /** As FTS5 wants to be asked. */
  match?: string | undefined;
  source?: SourceKind | undefined;
  licence?: Licence | undefined;
  describedBy?: Describer | undefined;
  topic?: string | undefined;
  isTakenDown?: boolean | undefined;
}

/** A clip by its id, with a vector of it. */
export interface ClipVector {
  id: string;
  vector: Float32Array;
}

/** What a clip has come to as numbers. */
export type Reckoned = Pick<StoredClip, 'number' | 'clip' | 'space'> & { isScored: boolean };

export type ClipOfVideo = Pick<StoredClip, 'number' | 'clip' | 'source' | 'video' | 'space'>;

/** Numbers that are read in one go at first. Each look for words costs some 20 ms by itself where they are common: few stretches, then. */
const [FIRST, FIRST_WITH_WORDS, FIRST_OF_SOME] = [4_000, 25_000, 100_000] as const;

const BY_NO_INDEX = sql`+`;

/** The clips, with their vectors. What a method has written when it returns survives the death of the process. */
export class ClipStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * One more clip, and in the same moment what that means for its video and for what is looked for.
   * @param place puts its files in their place: what it throws takes all of it back
   */
  async add(clip: NewClip, { vectors, job, nextSpan, place }: AddedClip): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      const down = db.selectFrom('clip_take_downs').select('at').where('source', '=', clip.source);
      const isDown = (await down.where('video', '=', clip.video).executeTakeFirst()) !== undefined;
      await db
        .insertInto('clips')
        .values({ ...clip, is_taken_down: isDown ? 1 : 0 })
        .execute();
      await keepVectors(db, clip.clip, clip.space ?? null, vectors);
      const one = sql<number>`1`;
      await db
        .updateTable('clip_jobs')
        .set(({ eb }) => ({ clips: eb('clips', '+', one), next_span: nextSpan, changed_at: clip.created_at }))
        .where('number', '=', job)
        .execute();
      await db
        .updateTable('clip_order')
        .set(({ eb }) => ({ made: eb('made', '+', one) }))
        .where('topic', '=', clip.topic)
        .execute();
      await place();
    });
  }

  async get(clip: string): Promise<StoredClip | undefined> {
    return await this.#db.selectFrom('clips').selectAll().where('clip', '=', clip).executeTakeFirst();
  }

  /** By their ids, in no order, as far as they are wanted. @param clips up to some hundreds */
  async several(clips: readonly string[], wanted: ClipsWanted): Promise<StoredClip[]> {
    if (clips.length === 0) return [];
    const { match, ...conditions } = wanted;
    const rows = await this.#wanted(conditions, BY_NO_INDEX).where('clips.clip', 'in', clips).execute();
    if (match === undefined || rows.length === 0) return rows;
    const having = await this.#having(
      match,
      rows.map(({ number }) => number),
    );
    return rows.filter(({ number }) => having.has(number));
  }

  /** Which of some clips have words in them: a join, or a condition that an index could answer, would look for the words anew for each clip (`+`). */
  async #having(match: string, numbers: readonly number[]): Promise<Set<number>> {
    const before = Math.max(...numbers) + 1;
    const having = this.#db.selectFrom('clip_texts').select('rowid').where(sql<boolean>`clip_texts MATCH ${match}`);
    const all = having.where(sql`+clip_texts.rowid`, 'in', numbers);
    const read = async (stretch: Stretch) => {
      const rows = await all.where('rowid', '>=', stretch.from).where('rowid', '<', stretch.before).execute();
      return rows.map(({ rowid }) => rowid);
    };
    return new Set(await newestInParts({ before, limit: Number.POSITIVE_INFINITY, first: FIRST_OF_SOME }, read));
  }

  /** The newest first. @param before number behind which to go on */
  async page(wanted: ClipsWanted, before: number | undefined, limit: number): Promise<StoredClip[]> {
    // In the order of the table that is read, so that it ends with the last one that is wanted.
    const key = wanted.match === undefined ? sql<number>`clips.number` : sql<number>`clip_texts.rowid`;
    const newest = this.#wanted(wanted).orderBy(key, 'desc');
    const conditions = Object.values(wanted).filter((one) => one !== undefined).length;
    if (conditions > 1) {
      // One index leads to all that meet one of them, and that may be all clips.
      const read = (stretch: Stretch, most: number) => {
        const rows = wanted.match === undefined ? newest : this.#wantedIn(stretch, wanted).orderBy(key, 'desc');
        return rows.where(key, '>=', stretch.from).where(key, '<', stretch.before).limit(most).execute();
      };
      const first = wanted.match === undefined ? FIRST : FIRST_WITH_WORDS;
      return await newestInParts({ before: before ?? (await this.lastNumber()) + 1, limit, first }, read);
    }
    return await (before === undefined ? newest : newest.where(key, '<', before)).limit(limit).execute();
  }

  /** Of the newest clip; 0 where there is none. */
  async lastNumber(): Promise<number> {
    const last = this.#db.selectFrom('clips').select(({ fn }) => fn.max('number').as('number'));
    return (await last.executeTakeFirst())?.number ?? 0;
  }

  /** @param lead of a condition that no index is to answer: ids lead to few clips, a source to many */
  #wanted({ match, source, licence, describedBy, topic, isTakenDown }: ClipsWanted, lead = sql``) {
    let rows = this.#db
      .selectFrom('clips')
      .selectAll('clips')
      .$if(match !== undefined, (all) =>
        all.innerJoin('clip_texts', 'clip_texts.rowid', 'clips.number').where(sql<boolean>`clip_texts MATCH ${match}`),
      );
    const taken = isTakenDown === undefined ? undefined : Number(isTakenDown);
    const conditions = { source, licence, described_by: describedBy, topic, is_taken_down: taken };
    for (const [column, value] of Object.entries(conditions))
      if (value !== undefined) rows = rows.where(sql<boolean>`${lead}${sql.ref(`clips.${column}`)} = ${value}`);
    return rows;
  }

  /**
   * With words, and with what else is wanted. Whoever looks for words is led by them, and by no index (`+`): else they would be looked for once for each clip. And what an index knows of a stretch is
   * read there, and not in each of the long rows that have the words.
   */
  #wantedIn({ from, before }: Stretch, { match, ...conditions }: ClipsWanted) {
    let rows = this.#wanted({ match });
    for (const [name, value] of Object.entries(conditions)) {
      if (value === undefined) continue;
      const one = this.#wanted({ [name]: value })
        .clearSelect()
        .select('clips.number');
      const within = one.where('clips.number', '>=', from).where('clips.number', '<', before);
      rows = rows.where(sql`+clip_texts.rowid`, 'in', within);
    }
    return rows;
  }

  async sums(): Promise<{ rows: number; bytes: number }> {
    const sums = this.#db.selectFrom('clip_sums').select(['rows', 'bytes']).where('of', '=', 'clips');
    return await sums.executeTakeFirstOrThrow();
  }

  /** In one space. */
  async vectors(clip: string, space: string): Promise<ClipVectorsByKind> {
    const rows = this.#db.selectFrom('clip_vectors').select(['kind', 'vector']).where('clip', '=', clip);
    const found = await rows.where('space', '=', space).execute();
    return Object.fromEntries(found.map(({ kind, vector }) => [kind, numbersOf(vector)]));
  }

  /** Of one space and kind, in the order of the clips' ids. @param after the last of the page before; null for the beginning */
  async vectorPage(space: string, kind: ClipVectorKind, after: string | null, limit: number): Promise<ClipVector[]> {
    const rows = this.#db
      .selectFrom('clip_vectors')
      .select(['clip', 'vector'])
      .where('space', '=', space)
      .where('kind', '=', kind)
      .where('clip', '>', after ?? '')
      .orderBy('clip')
      .limit(limit);
    return (await rows.execute()).map(({ clip, vector }) => ({ id: clip, vector: numbersOf(vector) }));
  }

  /** Words for it, by somebody, with what they are as numbers. What it was worth before is forgotten. */
  async describe(
    clip: string,
    about: { description: string; by: Describer; space: string | null; vectors: ClipVectorsByKind },
  ): Promise<void> {
    const { description, by, space, vectors } = about;
    await this.#db.transaction().execute(async (db) => {
      const changes = { description, described_by: by, described_with: null, score: null };
      await db.updateTable('clips').set(changes).where('clip', '=', clip).execute();
      const old = db.deleteFrom('clip_vectors').where('clip', '=', clip);
      await old.where('kind', 'in', ['described-seen', 'described-heard']).execute();
      await keepVectors(db, clip, space, vectors);
    });
  }

  /** Of which video each is, and of which models its vectors are: the newest first, without those that were taken down. @param before number behind which to go on */
  async videosOf(before: number | undefined, limit: number): Promise<ClipOfVideo[]> {
    const rows = this.#db.selectFrom('clips').select(['number', 'clip', 'source', 'video', 'space']);
    const after = before === undefined ? rows : rows.where('number', '<', before);
    return await after.where('is_taken_down', '=', 0).orderBy('number', 'desc').limit(limit).execute();
  }

  /** Of which models the vectors are, and whether it was scored, by the clips' numbers. @param after number behind which to go on; 0 for the beginning */
  async reckoned(after: number, limit: number): Promise<Reckoned[]> {
    const rows = this.#db
      .selectFrom('clips')
      .select(({ eb }) => ['number', 'clip', 'space', eb('score', 'is not', null).as('isScored')]);
    const some = await rows.where('number', '>', after).orderBy('number').limit(limit).execute();
    return some.map((row) => ({ ...row, isScored: Boolean(row.isScored) }));
  }

  /**
   * What a clip is as numbers, in place of what it was; what it was worth is forgotten.
   * @returns false where it is gone, or has other words than those that were reckoned
   */
  async setVectors(
    { clip, description }: Pick<StoredClip, 'clip' | 'description'>,
    space: string,
    vectors: ClipVectorsByKind,
  ): Promise<boolean> {
    return await this.#db.transaction().execute(async (db) => {
      const changed = db.updateTable('clips').set({ space, score: null }).where('clip', '=', clip);
      const { numUpdatedRows } = await changed.where('description', '=', description).executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await db.deleteFrom('clip_vectors').where('clip', '=', clip).execute();
      await keepVectors(db, clip, space, vectors);
      return true;
    });
  }

  /** @param score JSON of a `ClipScore` */
  async setScore(clip: string, score: string): Promise<void> {
    await this.#db.updateTable('clips').set({ score }).where('clip', '=', clip).execute();
  }

  /** Forgets what some clips were worth, those behind a number. @returns the number of the last of them; undefined where there were none */
  async forgetScores(after: number, limit: number): Promise<number | undefined> {
    const last = (await this.reckoned(after, limit)).at(-1)?.number;
    if (last === undefined) return undefined;
    const rows = this.#db.updateTable('clips').set({ score: null }).where('number', '>', after);
    await rows.where('number', '<=', last).where('score', 'is not', null).execute();
    return last;
  }

  /** All clips of a video. @returns how many there are */
  async setTakenDown({ source, id }: VideoRef, isTakenDown: boolean): Promise<number> {
    const rows = this.#db.updateTable('clips').set({ is_taken_down: isTakenDown ? 1 : 0 });
    const changed = await rows.where('source', '=', source).where('video', '=', id).executeTakeFirst();
    return Number(changed.numUpdatedRows);
  }

  /** It is gone; its files are yet to be deleted: see {@link gone}. */
  async remove({ number, clip, container }: Pick<StoredClip, 'number' | 'clip' | 'container'>): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      const noted = db.insertInto('clips_gone').values({ clip, container });
      await noted.onConflict((at) => at.column('clip').doNothing()).execute();
      await db.deleteFrom('clips').where('number', '=', number).execute();
    });
  }

  /** Whose files are to be deleted: some hundreds at a time. */
  async gone(): Promise<{ clip: string; container: string }[]> {
    return await this.#db.selectFrom('clips_gone').selectAll().limit(200).execute();
  }

  /** Their files are deleted. @param clips up to some hundreds: one write for all of them */
  async forget(clips: readonly string[]): Promise<void> {
    await this.#db.deleteFrom('clips_gone').where('clip', 'in', clips).execute();
  }
}

export interface AddedClip {
  vectors: ClipVectorsByKind;
  /** Its video's number, and the first of its stretches that is not done now. */
  job: number;
  nextSpan: number;
  place: () => Promise<void>;
}

async function keepVectors(db: Db, clip: string, space: string | null, vectors: ClipVectorsByKind): Promise<void> {
  if (space === null) return;
  for (const [kind, vector] of Object.entries(vectors) as [ClipVectorKind, Float32Array][]) {
    const bytes = bytesOf(vector);
    await db
      .insertInto('clip_vectors')
      .values({ clip, kind, space, vector: bytes })
      .onConflict((at) => at.columns(['clip', 'kind', 'space']).doUpdateSet({ vector: bytes }))
      .execute();
  }
}
