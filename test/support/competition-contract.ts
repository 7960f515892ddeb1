import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompetitionStore } from '../../src-main/store/competition/competition-store.ts';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import { FACTS, idOf, roundRow, submission } from './competition-rows.ts';
import type { ResultsPlace } from './results-contract.ts';

/** What a competition keeps, on every database alike. */
export function competitionContract(make: () => Promise<ResultsPlace>): void {
  describe('what a competition keeps', () => {
    let place: ResultsPlace;
    let results: ResultsDb;
    let store: CompetitionStore;
    let other: CompetitionStore;
    beforeEach(async () => {
      place = await make();
      results = new ResultsDb(place.options);
      await results.open();
      [store, other] = [results.competition('server'), results.competition('another')];
    });
    afterEach(async () => {
      await results.close();
      await place.remove();
    });

    it('has one open round a server, and closes it once', async () => {
      const { rounds } = store;
      await rounds.begin(roundRow(1));
      await other.rounds.begin(roundRow(1, { server: 'another' }));
      await expect(rounds.begin(roundRow(2))).rejects.toThrow();
      const close = () => rounds.close(1, { closedAt: 9, block: 7, next: roundRow(2, { baselines: null }) });
      expect([await close(), await close()]).toEqual([true, false]);
      expect(await rounds.oldest('judging')).toMatchObject({ number: 1, closed_at: 9, closed_block: 7 });
      expect((await rounds.list(undefined, 5)).map(({ number, state }) => [number, state])).toEqual([
        [2, 'open'],
        [1, 'judging'],
      ]);
      expect(await other.rounds.oldest('judging')).toBeUndefined();
      const extend = (number: number) => rounds.setEnd(number, 500, { at: 5, what: 'extended' });
      expect([await extend(1), await extend(2)]).toEqual([false, true]);
      // What did not happen is not told of.
      expect(await Promise.all([1, 2].map((number) => rounds.interventions(number, 9)))).toEqual([
        [],
        [{ at: 5, what: 'extended' }],
      ]);
    });

    it('rolls what could not be revealed, and drops what could', async () => {
      await store.rounds.begin(roundRow(1));
      for (const number of [1, 2, 3]) await store.submissions.add(submission(number));
      expect(await store.submissions.reveal(idOf(1), FACTS)).toBe(true);
      expect(await store.submissions.reveal(idOf(1), FACTS)).toBe(false);
      await store.rounds.close(1, { closedAt: 9, block: 102, next: roundRow(2) });
      expect(await store.submissions.counts(1)).toEqual({ revealed: 1, missed: 1 });
      expect(await store.submissions.counts(2)).toEqual({ committed: 1 });
      expect(await store.submissions.reveal(idOf(2), FACTS)).toBe(false);
      expect(await store.submissions.reveal(idOf(3), FACTS)).toBe(true);
    });

    it('has a commitment of a hotkey once, and numbers without a gap', async () => {
      const { submissions } = store;
      expect(await submissions.nextNumber()).toBe(1);
      expect(await submissions.add(submission(1))).toBe(true);
      expect(await submissions.add(submission(2, { commitment: 'c1' }))).toBe(false);
      expect(await submissions.add(submission(2, { commitment: 'c1', hotkey: 'bob' }))).toBe(true);
      expect([await submissions.nextNumber(), await other.submissions.nextNumber()]).toEqual([3, 1]);
      expect(await submissions.counts(1, 'bob')).toEqual({ committed: 1 });
      expect((await submissions.waitingOf('ann', 5)).map(({ number }) => number)).toEqual([1]);
      expect((await submissions.of('ann', { limit: 5 })).map(({ number }) => number)).toEqual([1]);
      expect(await submissions.of('ann', { before: 1, limit: 5 })).toEqual([]);
    });

    it('has a verdict once, until somebody has it judged again, and never after the end', async () => {
      const { rounds, submissions } = store;
      await rounds.begin(roundRow(1));
      await submissions.add(submission(1));
      await submissions.reveal(idOf(1), FACTS);
      expect(await submissions.judge(idOf(1), 'right', '{}', 6)).toBe(false); // its round is open
      await rounds.close(1, { closedAt: 9, block: 300, next: roundRow(2, { baselines: null }) });
      await submissions.trouble(idOf(1), { tries: 1, nextTryAt: 50, why: 'No memory.' });
      expect(await submissions.get(idOf(1))).toMatchObject({ state: 'revealed', tries: 1, trouble: 'No memory.' });
      expect(await submissions.judge(idOf(1), 'right', '{"a":1}', 60)).toBe(true);
      expect(await submissions.judge(idOf(1), 'wrong', '{"a":2}', 61)).toBe(false);
      const again = { at: 6, what: 'judged again' };
      expect(await submissions.judgeAgain(idOf(1), again)).toBe(true);
      expect(await submissions.judge(idOf(1), 'wrong', '{"a":2}', 62)).toBe(true);
      expect(await submissions.verdicts(idOf(1))).toBe(2);
      expect(await submissions.isPublic(FACTS.sha256)).toBe(false);
      const ended = { endedAt: 70, record: '{}', signature: 's', placed: [{ id: idOf(1), place: 1, share: 6_000 }] };
      expect(await rounds.end(1, ended, { baselines: '["x"]', carried: 4 })).toBe(true);
      expect(await rounds.end(1, ended, { baselines: '["y"]', carried: 5 })).toBe(false);
      expect(await rounds.get(2)).toMatchObject({ baselines: '["x"]', carried: 4 });
      expect(await submissions.get(idOf(1))).toMatchObject({ state: 'wrong', place: 1, share: 6_000 });
      expect(await submissions.judgeAgain(idOf(1), again)).toBe(false);
      expect(await rounds.interventions(1, 9)).toEqual([again]);
      expect([await submissions.isPublic(FACTS.sha256), await submissions.bytesOf('ann')]).toEqual([true, 0]);
      const artefact = { track: 'kernel', sha256: FACTS.sha256 };
      expect(await submissions.owners([artefact], 2)).toEqual([{ ...artefact, hotkey: 'ann' }]);
      expect(await submissions.owners([artefact], 1)).toEqual([]);
      expect(await submissions.owners([{ ...artefact, track: 'another' }], 2)).toEqual([]);
    });

    it('says what is judged next, in the order of commitment, and when what failed is tried again', async () => {
      const { rounds, submissions } = store;
      await rounds.begin(roundRow(1));
      for (const number of [1, 2]) await submissions.add(submission(number));
      for (const number of [2, 1]) await submissions.reveal(idOf(number), FACTS);
      await rounds.close(1, { closedAt: 9, block: 300, next: roundRow(2, { baselines: null }) });
      expect([(await submissions.nextToJudge(1, 5))?.number, await submissions.nextTry(1)]).toEqual([1, 0]);
      await submissions.trouble(idOf(1), { tries: 1, nextTryAt: 50, why: 'No memory.' });
      expect((await submissions.nextToJudge(1, 49))?.number).toBe(2);
      await submissions.judge(idOf(2), 'right', '{}', 6);
      expect([await submissions.nextToJudge(1, 49), await submissions.nextTry(1)]).toEqual([undefined, 50]);
      expect((await submissions.nextToJudge(1, 50))?.number).toBe(1);
      await submissions.judge(idOf(1), 'wrong', '{}', 6);
      expect(await submissions.nextTry(1)).toBeUndefined();
      expect((await submissions.inRound(1, ['wrong', 'right'])).map(({ number }) => number)).toEqual([1, 2]);
    });

    it('names of an artefact that many have revealed who committed first, and of others who did', async () => {
      const { rounds, submissions } = store;
      await rounds.begin(roundRow(1));
      for (const [number, hotkey] of [
        [1, 'bob'],
        [2, 'ann'],
        [3, 'eve'],
      ] as const) {
        await submissions.add(submission(number, { hotkey }));
        await submissions.reveal(idOf(number), number === 3 ? { ...FACTS, sha256: 'f'.repeat(64) } : FACTS);
      }
      const asked = [FACTS.sha256, 'f'.repeat(64), 'a'.repeat(64)].map((sha256) => ({ track: 'kernel', sha256 }));
      const owners = await submissions.owners(asked, 2);
      expect(new Set(owners.map(({ hotkey, sha256 }) => `${hotkey} ${sha256[0]}`))).toEqual(
        new Set(['bob d', 'eve f']),
      );
      expect(owners).toHaveLength(2);
    });

    it('gives each of many its place', async () => {
      const { rounds, submissions } = store;
      await rounds.begin(roundRow(1));
      const numbers = Array.from({ length: 140 }, (_, at) => at + 1);
      for (const number of numbers) await submissions.add(submission(number));
      await rounds.close(1, { closedAt: 9, block: 300, next: roundRow(2, { baselines: null }) });
      const placed = numbers.slice(1).map((number) => ({ id: idOf(number), place: number - 1, share: number * 2 }));
      const ended = { endedAt: 70, record: '{}', signature: 's', placed };
      expect(await rounds.end(1, ended, { baselines: '[]', carried: 0 })).toBe(true);
      expect(await submissions.get(idOf(1))).toMatchObject({ place: null, share: 0 });
      const rows = await Promise.all(placed.map(({ id }) => submissions.get(id)));
      expect(rows).toMatchObject(placed);
    });

    it('takes a nonce once, forgets old ones alone, and keeps addresses, notes and the clock', async () => {
      const { guards } = store;
      expect([await guards.takeNonce('ann', 'n', 5), await guards.takeNonce('ann', 'n', 5)]).toEqual([true, false]);
      expect(await other.guards.takeNonce('ann', 'n', 5)).toBe(true);
      const many = ['m', 'm', 'n', 'o'].map((nonce) => guards.takeNonce('ann', nonce, 5));
      expect(await Promise.all(many)).toEqual([true, false, false, true]);
      const moments = Array.from({ length: 1_190 }, (_, more) => 10 + more);
      await Promise.all(moments.map((at) => guards.takeNonce('bob', `n${at}`, at)));
      await guards.forgetNonces(1_199, AbortSignal.abort());
      expect(await guards.takeNonce('bob', 'n10', 10)).toBe(false);
      await guards.forgetNonces(1_199);
      expect(await guards.takeNonce('ann', 'n', 5)).toBe(true);
      expect(await guards.takeNonce('bob', 'n1199', 1_199)).toBe(false);
      expect(await other.guards.takeNonce('ann', 'n', 5)).toBe(false);
      const row = { address: '192.0.2.1', failures: 5, failed_at: 1, banned_until: 9, appeal: null, appealed_by: null };
      await guards.putAddress({ ...row, appealed_at: null });
      await guards.putAddress({ ...row, appealed_at: null, appeal: 'Many.' });
      expect(await guards.addresses()).toMatchObject([{ address: '192.0.2.1', appeal: 'Many.' }]);
      await guards.removeAddress('192.0.2.1');
      expect(await guards.addresses()).toEqual([]);
      await guards.putReading({ block: 5, at: 6, signature: 's' });
      await guards.putReading({ block: 7, at: 8, signature: 't' });
      expect(await guards.reading()).toEqual({ block: 7, at: 8, signature: 't' });
      expect(await other.guards.reading()).toBeUndefined();
    });
  });
}
