import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src-main/store/database.ts';
import { MarketStore } from '../../src-main/store/market/focus-market.ts';
import { OMEGA_TERMS } from '../../src-main/subnets/omega/market/rules/terms.ts';
import { Sales } from '../../src-main/subnets/omega/market/server/sales.ts';
import { startChild } from '../support/killed-child.ts';
import { ScriptedMarketChain } from '../support/market-chain.ts';
import { PRICE } from '../support/market-sales.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { ROUNDS } from '../support/rounds.ts';

const PROGRAM = resolve(import.meta.dirname, '../support/market-child.ts');

interface Claim {
  paid: string;
  block: number;
  extrinsic: string;
}

it('a market that is killed amid its sales has sold what it said, and sells what was paid when it is told again', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'market.db');
  for (let round = 0; round < 4 * ROUNDS; round++) {
    const { claims, sold } = await killed(path, round);
    const db = await openDatabase(path);
    const store = new MarketStore(db);
    for (const id of sold) expect(await store.purchase(id)).toMatchObject({ state: 'paid' });
    const chain = new ScriptedMarketChain();
    chain.block = Number.MAX_SAFE_INTEGER;
    for (const { block, extrinsic } of claims) {
      chain.transfers.push({ from: 'ann', to: 'seller-cold', amount: PRICE, block, extrinsic });
    }
    const sales = new Sales({
      ...{ store, chain, terms: OMEGA_TERMS, pool: () => 0n, newId: () => '', now: Date.now },
      log: pino({ level: 'silent' }),
    });
    for (const { paid, ...claim } of claims) {
      expect(await sales.verify('ann-hot', paid, claim)).toMatchObject({ state: 'paid', payment: claim });
    }
    const { count: used } = await db
      .selectFrom('used_payments')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const { offers, purchases } = await store.counts();
    expect([purchases.paid, offers.purchased]).toEqual([used, used]);
    await db.destroy();
  }
});

/** Kills it a moment after its first sale. @returns what it has reported until then */
async function killed(path: string, round: number): Promise<{ claims: Claim[]; sold: string[] }> {
  const child = startChild(PROGRAM, [path, String(round)]);
  const [claims, sold]: [Claim[], string[]] = [[], []];
  const begun = Promise.withResolvers<void>();
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const said = JSON.parse(line);
    if ('sold' in said) sold.push(said.sold);
    else claims.push(said);
    if (sold.length > 0) begun.resolve();
  });
  const read = once(lines, 'close');
  await Promise.race([begun.promise, read]);
  await sleep(20 + Math.random() * 150);
  child.kill('SIGKILL');
  await read;
  expect(sold.length).toBeGreaterThan(0);
  return { claims, sold };
}
