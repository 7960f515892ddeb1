import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identityFromSeed, verify } from '../../src-main/mesh/transport/identity.ts';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import { GenuineResults } from '../../src-main/validation/genuine-results.ts';
import { type ResultPayload, signResult } from '../../src-main/validation/result.ts';
import { MOMENT, type ResultsPlace, signedResult } from './results-contract.ts';

const own = identityFromSeed(Buffer.alloc(32, 7));
const friend = identityFromSeed(Buffer.alloc(32, 8));
const stranger = identityFromSeed(Buffer.alloc(32, 9));

/** Number `at`, of a moment of its own, as a validator signs it. */
export function genuine(at: number, changes: Partial<ResultPayload> = {}, by = own) {
  const { signer: _, signature: __, payload: ___, payloadSha256: ____, ...about } = signedResult();
  const rest = { answer: 'x', reason: null, challengeId: `challenge ${at}`, createdAt: MOMENT + at, score: 0 };
  return signResult({ ...about, ...rest, ...changes }, by);
}

/** What of the results of every place counts on a chain. */
export function genuineContract(make: () => Promise<ResultsPlace>): void {
  describe('results for a chain', () => {
    let place: ResultsPlace;
    let results: ResultsDb;
    let all: GenuineResults;
    let read: number;
    beforeEach(async () => {
      place = await make();
      results = new ResultsDb(place.options);
      await results.open();
      all = new GenuineResults(verify);
      read = 0;
    });
    afterEach(async () => {
      await results.close();
      await place.remove();
    });

    async function look(signers = [own.id, friend.id]) {
      const some = (ids: readonly number[]) => {
        read += ids.length;
        return results.some(ids);
      };
      const looked = all.look({ some }, signers);
      const means = await results.means(0, { signers, sift: (scores) => looked.sift(scores) });
      const { checked, forged } = looked;
      return { checked, forged, means: means.map(({ miner, level, count, mean }) => [miner, level, count, mean]) };
    }

    async function change(...statements: ReturnType<typeof sql>[]): Promise<void> {
      const db = await place.connect();
      for (const statement of statements) await statement.execute(db);
      await db.destroy();
    }

    it('count where somebody who counts has signed them as they are', async () => {
      await results.addAll([genuine(1), genuine(2, {}, friend), genuine(3, { score: 1 }, stranger)]);
      expect(await look()).toEqual({ checked: 2, forged: 0, means: [['miner', 'usual', 2, 0]] });
      expect(await look([own.id])).toMatchObject({ checked: 1, forged: 0 });
    });

    it('do not count once they are edited, or where nobody signed them', async () => {
      await results.addAll([1, 2, 3, 4, 5].map((at) => genuine(at)));
      const planted = { ...genuine(6, { score: 1 }), signature: '0'.repeat(128) };
      const foreign = { ...genuine(7, { score: 1 }, stranger), signer: own.id };
      const replayed = { ...genuine(8, { score: 1 }), signature: genuine(1).signature };
      await results.addAll([planted, foreign, replayed]);
      const edits = [
        sql`UPDATE results SET score = 1 WHERE challenge_id = 'challenge 2'`,
        sql`UPDATE results SET miner = 'rival' WHERE challenge_id = 'challenge 3'`,
        sql`UPDATE results SET level = 'hard' WHERE challenge_id = 'challenge 4'`,
        sql`UPDATE results SET created_at = created_at + 1000 WHERE challenge_id = 'challenge 5'`,
      ];
      await change(...edits);
      expect(await look()).toEqual({ checked: 8, forged: 7, means: [['miner', 'usual', 1, 0]] });
    });

    it('are read again when somebody else counts, whoever else does', async () => {
      await results.addAll([genuine(1), genuine(2)]);
      await look([own.id, friend.id]);
      expect(read).toBe(2);
      await look([own.id, friend.id]);
      expect(read).toBe(2);
      await look([own.id, stranger.id]);
      expect(read).toBe(4);
    });

    it('take no longer to look at because many count', async () => {
      await results.addAll(Array.from({ length: 20 }, (_, at) => genuine(at)));
      let listed = 0;
      const others = Array.from({ length: 64 }, (_, at) => `${at}`.padStart(64, '0'));
      const signers = new Proxy([own.id, ...others], {
        get: (list, name, self) => {
          if (name === Symbol.iterator || name === 'toJSON') listed++;
          return Reflect.get(list, name, self);
        },
      });
      const looked = all.look(results, signers);
      await results.means(0, { signers: [...signers], sift: (scores) => looked.sift(scores) });
      expect(looked.forged).toBe(0);
      expect(listed).toBeLessThan(5);
    });

    it('are read in full once, and again when a column that counts has changed', async () => {
      await results.addAll(Array.from({ length: 100 }, (_, at) => genuine(at)));
      expect(await look()).toMatchObject({ checked: 100, forged: 0 });
      expect(read).toBe(100);
      await results.add(genuine(100));
      await change(sql`UPDATE results SET score = 1 WHERE challenge_id = 'challenge 7'`);
      expect(await look()).toEqual({ checked: 101, forged: 1, means: [['miner', 'usual', 100, 0]] });
      expect(read).toBe(102);
      expect(await look()).toMatchObject({ checked: 101, forged: 1 });
      expect(read).toBe(103); // what is forged may be mended
    });

    it('are read again when others count', async () => {
      await results.add(genuine(1, {}, friend));
      expect(await look()).toMatchObject({ checked: 1, forged: 0 });
      await change(sql`UPDATE results SET signer = ${own.id}`);
      expect(await look([own.id])).toMatchObject({ checked: 1, forged: 1 });
    });

    it('count once, however often they are written', async () => {
      await results.addAll([genuine(1, { score: 1 }), genuine(2), genuine(3, { createdAt: MOMENT + 1 })]);
      await look();
      // A place for the same result once more: what is looked at in the table alone says nothing of it.
      await change(sql`UPDATE results SET challenge_id = 'other' WHERE challenge_id = 'challenge 1'`);
      await results.add(genuine(1, { score: 1 }));
      expect(await look()).toMatchObject({
        checked: 4,
        forged: 1,
        means: [['miner', 'usual', 3, expect.closeTo(1 / 3)]],
      });
    });
  });
}
