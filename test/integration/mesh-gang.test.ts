import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_MESH } from '../support/mesh-name.ts';
import { ROUNDS } from '../support/rounds.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import type { TradingOrder, TradingReport } from '../support/trading-child.ts';
import { until } from '../support/until.ts';

/*
 * A mesh of processes, some of which only come to be served: they sign over to each other what others owe them, what nobody owes them,
 * and all of it twice. They have served a little, and may be served as much. All are in one network, and share its gifts.
 */

const [NODES, GANG] = ROUNDS > 1 ? [12, 4] : [5, 2];
const TURNS = ROUNDS > 1 ? 6 : 2;
/** Requests of an honest node in a turn, and of a hostile one. */
const ASKED = 4;
const STOLEN = 12;

let testnet: Testnet;
let children: ChildProcess[] = [];

beforeAll(async () => {
  testnet = await openTestnet();
  const path = fileURLToPath(new URL('../support/trading-child.ts', import.meta.url));
  children = Array.from({ length: NODES }, () => fork(path));
  await Promise.all(
    children.map(async (child, number) => {
      const ready = once(child, 'message');
      const order: TradingOrder = { bootstrap: testnet.bootstrap, mesh: TEST_MESH, nodes: NODES, number, gang: GANG };
      child.send(order);
      await ready;
    }),
  );
});
afterAll(async () => {
  await Promise.all(
    children.map(async (child) => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    }),
  );
  await testnet?.close();
});

async function tell(child: ChildProcess, order: { ask?: number }): Promise<TradingReport> {
  const answered = once(child, 'message');
  child.send(order);
  const [report] = await answered;
  return report;
}

it('gives a gang for its claims no more than it has served, and refuses hardly anybody who serves', async () => {
  await until(async () => {
    const reports = await Promise.all(children.map((child) => tell(child, {})));
    expect(Math.min(...reports.map(({ known }) => known))).toBe(NODES - 1);
  });
  let reports: TradingReport[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    reports = await Promise.all(children.map((child, number) => tell(child, { ask: number < GANG ? STOLEN : ASKED })));
  }
  const honest = reports.slice(GANG);
  const sum = (figure: (report: TradingReport) => number) => honest.reduce((total, each) => total + figure(each), 0);
  const [had, served] = [sum((each) => each.hadForClaims), sum((each) => each.servedByGang)];
  const [refused, asked] = [sum((each) => each.refused), sum((each) => each.asked)];
  expect(had).toBeLessThanOrEqual(served);
  expect(refused).toBeLessThanOrEqual(0.02 * asked);
  expect(reports.flatMap(({ failed }) => failed)).toEqual([]);
  expect(honest.map(({ ledger }) => ledger)).toEqual(honest.map(() => true));
});
