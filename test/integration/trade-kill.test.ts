/** @module-tag long */
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { fund } from '../support/desk-on-381.ts';
import { startChild } from '../support/killed-child.ts';
import { writeKey } from '../support/local-wallets.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { RUNTIME_381 } from '../support/runtime-381.ts';
import { BLOCK_HASH, GENESIS, SILENCE } from '../support/scripted-chain.ts';
import { SmallMarket } from '../support/small-market.ts';
import { TakingChain } from '../support/taking-chain.ts';

const CHILD = fileURLToPath(new URL('../support/trade-child.ts', import.meta.url));
const TEST_MS = 120_000;

/** Where a buyer is killed: as its node is asked for a number to sign with, as the payment is handed in, at one of the states that it tells of. */
type Moment = 'before signing' | 'handing in' | 'locked' | 'paying' | 'paid' | 'bought';

async function opened() {
  const folder = await temporaryFolder();
  const node = await new TakingChain().open();
  const market = await new SmallMarket().open();
  onTestFinished(async () => {
    await node.close();
    await market.close();
    await folder.remove();
  });
  const coldkey = await writeKey(join(folder.path, 'wallets'), { wallet: 'main' });
  fund(node, coldkey);
  Object.assign(market, { chain: GENESIS, buyer: coldkey });
  market.put('Mend a tap', '5000000');
  const start = () => startChild(CHILD, [folder.path, node.url, market.url, coldkey]);
  return { node, market, start };
}

async function killedAt(moment: Moment, { node, market, start }: Awaited<ReturnType<typeof opened>>): Promise<void> {
  const child = start();
  const usual = { ...node.answers };
  const killing = () => {
    child.kill('SIGKILL');
    return SILENCE;
  };
  if (moment === 'before signing') node.answers.system_accountNextIndex = killing;
  if (moment === 'handing in') {
    node.answers.author_submitExtrinsic = ([extrinsic]) => {
      node.pool.push(String(extrinsic));
      return killing();
    };
  } else {
    node.answers.author_submitExtrinsic = ([extrinsic]) => {
      node.pool.push(String(extrinsic));
      if (moment === 'paid' || moment === 'bought') setTimeout(() => node.make([...node.pool]), 50);
      return BLOCK_HASH;
    };
  }
  if (moment === 'paid') market.fail('POST /purchases/:id/verify', ...Array.from({ length: 200 }, () => 'cut'));
  if (moment === 'bought') market.fail('GET /purchases/:id/video', ...Array.from({ length: 200 }, () => 'cut'));
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === moment) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  Object.assign(node.answers, usual);
  market.faults.clear();
}

it.skipIf(!RUNTIME_381).each<Moment>(['locked', 'before signing', 'handing in', 'paying', 'paid', 'bought'])(
  'a buyer that is killed «%s» goes on by itself at its next start, and has paid once in the end',
  async (moment) => {
    const all = await opened();
    const { node, market, start } = all;
    await killedAt(moment, all);
    const before = node.pool.length;
    expect(before).toBe(moment === 'locked' || moment === 'before signing' ? 0 : 1);
    node.answers.author_submitExtrinsic = ([extrinsic]) => {
      node.pool.push(String(extrinsic));
      setTimeout(() => node.make([...node.pool]), 50);
      return BLOCK_HASH;
    };
    const child = start();
    const states: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      states.push(line);
      if (line === 'paying' && before === 1 && !node.blocks.has(6)) node.make([...node.pool]);
    });
    const [code] = await once(child, 'exit');
    expect([code, states.at(-1)]).toEqual([0, 'fetched']);
    expect(node.pool).toHaveLength(1);
    expect(market.purchases.size).toBe(1);
    expect([...market.purchases.values()][0]).toMatchObject({ state: 'paid' });
  },
  TEST_MS,
);
