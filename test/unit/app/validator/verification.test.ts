import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verified } from '../../../../src-main/app/validator/verification.ts';
import { identityFromSeed } from '../../../../src-main/mesh/transport/identity.ts';
import { ResultsDb } from '../../../../src-main/store/results/results-db.ts';
import { signResult } from '../../../../src-main/validation/result.ts';
import type { VerifyEvent } from '../../../../src-preload/contract/validator-results.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';

const own = identityFromSeed(Buffer.alloc(32, 7));
const other = identityFromSeed(Buffer.alloc(32, 8));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let results: ResultsDb;
beforeEach(async () => {
  folder = await temporaryFolder();
  results = new ResultsDb({ dataDir: folder.path });
  await results.open();
});
afterEach(async () => {
  await results.close();
  await folder.remove();
});

/** Of a moment of its own. */
function signed(at: number, by = own) {
  const about = { environment: 'sat', environmentVersion: '1', level: 'usual', seed: 'seed', challengeId: `${at}` };
  const answerer = { miner: 'm', model: '', revision: '', uid: null, block: null };
  const how = { success: true, error: null, attempts: 1, latencyMs: 1, createdAt: 1_795_000_000_000 + at };
  return signResult({ ...about, ...answerer, ...how, answer: 'x', score: 0, reason: null }, by);
}

async function all(): Promise<VerifyEvent[]> {
  const events: VerifyEvent[] = [];
  for await (const event of verified(results, own.id)) events.push(event);
  return events;
}

describe('results as a whole', () => {
  it('are told by who signed them', async () => {
    await results.addAll([signed(1), signed(2, other), signed(3)]);
    const signers = [
      { signer: own.id, isOwn: true, results: 2 },
      { signer: other.id, isOwn: false, results: 1 },
    ];
    expect(await all()).toEqual([{ type: 'done', checked: 3, signers, signerCount: 2, forged: [], forgedCount: 0 }]);
  });

  it('are found out where a figure, a signer or a signature is another’s', async () => {
    const better = { ...signed(2), score: 1 };
    const foreign = { ...signed(3, other), signer: own.id };
    const copied = { ...signed(4), signature: signed(1).signature };
    await results.addAll([signed(1), better, foreign, copied]);
    const numbers = (await results.page()).filter(({ challengeId }) => challengeId !== '1').map(({ id }) => id);
    expect(await all()).toMatchObject([
      { checked: 4, signers: [{ signer: own.id, results: 1 }], forged: numbers, forgedCount: 3 },
    ]);
  });

  it('are gone through with word of how far one is, and until one has enough', async () => {
    const forged = Array.from({ length: 1_100 }, (_, at) => ({ ...signed(at), score: 1 }));
    for (let from = 0; from < forged.length; from += 500) await results.addAll(forged.slice(from, from + 500));
    const [first, last] = await all();
    expect(first).toEqual({ type: 'checked', checked: 1_000 });
    expect(last).toMatchObject({ checked: 1_100, signers: [], forgedCount: 1_100 });
    expect(last?.type === 'done' && last.forged).toHaveLength(1_000);
    await expect(verified(results, own.id, AbortSignal.abort()).next()).rejects.toMatchObject({ name: 'AbortError' });
  });
});
