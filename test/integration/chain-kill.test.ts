import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openDesk } from '../support/call-desk.ts';
import { fund, slotOf } from '../support/desk-on-381.ts';
import { startChild } from '../support/killed-child.ts';
import { writeKey } from '../support/local-wallets.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { ROUNDS } from '../support/rounds.ts';
import { encoded, RUNTIME_381 } from '../support/runtime-381.ts';
import { BLOCK_HASH, SILENCE } from '../support/scripted-chain.ts';
import { TakingChain } from '../support/taking-chain.ts';
import { until } from '../support/until.ts';

const CHILD = fileURLToPath(new URL('../support/chain-call-child.ts', import.meta.url));
const KILLS = 2 * ROUNDS;

const HOUR_MS = 3_600_000;

/** Lets a child send calls until it is killed: some milliseconds after its first one, or with its second one, before that is answered. */
async function sendUntilKilled(
  folder: string,
  node: TakingChain,
  when: { afterMs: number } | 'handing in',
): Promise<void> {
  const child = startChild(CHILD, [folder, node.url]);
  const before = node.pool.length;
  node.answers.author_submitExtrinsic = ([extrinsic]) => {
    node.pool.push(String(extrinsic));
    if (when !== 'handing in' || node.pool.length < before + 2) return BLOCK_HASH;
    child.kill('SIGKILL');
    return SILENCE;
  };
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (line === 'sent 0' && when !== 'handing in') setTimeout(() => child.kill('SIGKILL'), when.afterMs);
  });
  await once(child, 'exit');
}

it.skipIf(!RUNTIME_381)(
  `no call is on the chain that a program killed ${2 * KILLS} times does not know of, and each comes to its end`,
  async () => {
    const folder = await temporaryFolder();
    const node = await new TakingChain().open();
    onTestFinished(async () => {
      await node.close();
      await folder.remove();
    });
    const hotkey = await writeKey(join(folder.path, 'wallets'), { wallet: 'main', hotkey: 'hot' });
    node.storage.set(slotOf('subtensorModule', 'uids', 1, hotkey), encoded('u16', 0));
    fund(node, hotkey); // it pays for its commitments
    for (let kill = 0; kill < KILLS; kill++) {
      await sendUntilKilled(folder.path, node, { afterMs: kill * 331 });
      await sendUntilKilled(folder.path, node, 'handing in');
    }

    const { db, store, book, close } = await openDesk(folder.path, node.url);
    onTestFinished(close);
    const kept = await store.page({ limit: 200 });
    expect(kept.length).toBeGreaterThanOrEqual(3 * KILLS);
    expect(kept.every(({ state }) => state === 'waiting')).toBe(true);
    const known = new Set(kept.map(({ extrinsic }) => extrinsic));
    expect([...node.tried, ...node.pool].filter((given) => !known.has(given))).toEqual([]);

    // Every second one comes into the next block; no block ever takes the others.
    await db
      .updateTable('sent_calls')
      .set({ at: Date.now() - HOUR_MS })
      .execute(); // blocks take their time
    book.open();
    const taken = node.pool.filter((_, at) => at % 2 === 0);
    node.happenings = taken.map((_, at) => [at, 'success']);
    node.make(taken);
    const stateOf = async () =>
      new Map((await store.page({ limit: 200 })).map(({ extrinsic, state }) => [extrinsic, state]));
    await until(async () => expect(new Set(taken)).toEqual(doneOf(await stateOf())));
    node.finalise(200);
    await until(async () => expect([...(await stateOf()).values()]).not.toContain('waiting'));
    const states = await stateOf();
    for (const [extrinsic, state] of states) expect(state).toBe(taken.includes(extrinsic) ? 'done' : 'expired');
  },
);

const doneOf = (states: ReadonlyMap<string, string>) =>
  new Set([...states].filter(([, state]) => state === 'done').map(([extrinsic]) => extrinsic));
