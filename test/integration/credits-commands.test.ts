/** @module-tag long */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiptBytes } from '../../src-main/credits/receipt.ts';
import { DAY, nextRequestId, openCreditNode, oweTo, served, testIdentity } from '../support/credit-nodes.ts';
import { type QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: string;

/** A ledger with one request served ten days ago, and another now. */
beforeAll(async () => {
  folder = await temporaryFolder();
  data = join(folder.path, 'node');
  const client = testIdentity(2);
  const clock = { now: Date.now() - 10 * DAY };
  const node = await openCreditNode(1, { path: join(data, 'quarry.db'), clock });
  for (const at of [clock.now, Date.now()]) {
    clock.now = at;
    const requestId = nextRequestId();
    await node.book.worker.fund({ requestId, client: client.id, host: '127.0.0.1', maxTokens: 256, vouchers: [] });
    const bill = node.book.worker.bill(served({ client: client.id, requestId, servedAt: at }));
    await node.book.worker.settle({ ...bill, clientSig: client.sign(receiptBytes(bill.body)) });
  }
  await oweTo(node, testIdentity(3), 3);
  await node.close();
});
afterAll(() => folder?.remove());

const credits = (...args: string[]): Promise<QuarryProcess> => quarry(['credits', ...args, '--data', data]);
const kinds = ({ stdout }: QuarryProcess) => stdout.split('\n').map((line) => line.split(',')[2]);

describe('quarry credits', () => {
  it('says what others owe this node, what it has earned and given away', async () => {
    const { stdout } = await credits();
    expect(stdout).toMatch(/^4 credits to spend: others owe this node as much/);
    expect(stdout).toMatch(/^3 credits owed to others$/m);
    expect(stdout).toMatch(/3 credits spent, 4 given away/);
    const { stdout: json } = await credits('--json');
    expect(JSON.parse(json)).toMatchObject({ available: 4, gifts: { given: 4, most: 20, perDay: 10 } });
  });

  it('says whom this node owes something', async () => {
    const { stdout } = await credits('trusted');
    expect(stdout).toMatch(new RegExp(`${testIdentity(3).id.slice(0, 16)} +3 +3 +bronze`));
    const { stdout: json } = await credits('trusted', '--json');
    const peer = { peer: testIdentity(3).id, owed: 3, served: 3, tier: 'bronze' };
    expect(JSON.parse(json)).toEqual({ peers: [peer], total: 1, owed: 3 });
    expect(stdout).toMatch(/^This node owes 3 credits in all\.$/m);
  });

  it('says who owes this node something; who of them is in reach, only a node on the mesh knows', async () => {
    const { stdout } = await credits('owed');
    expect(stdout).toMatch(new RegExp(`${testIdentity(2).id.slice(0, 16)} +4 +\\?`));
    expect(stdout).toMatch(/^Others owe this node 4 credits\. Which of them are in reach/m);
    const { stdout: json } = await credits('owed', '--json');
    expect(JSON.parse(json)).toEqual({ peers: [{ peer: testIdentity(2).id, owes: 4 }], total: 1, owes: 4 });
  });
});

describe('what was earned, and why not more', () => {
  it('is told of today, with the energy where the watts were entered', async () => {
    const { stdout } = await credits('today');
    expect(stdout).toMatch(/^\d+ points today$/m);
    expect(stdout).toMatch(/Nothing held mining back today\.|Nobody asked today\.|Why it was not more:/);
    expect(stdout).not.toContain('Energy');
    const settings = { QUARRY_NODE_WATTS: '150', QUARRY_NODE_COST_PER_KWH: '0.4', QUARRY_NODE_CURRENCY: 'EUR' };
    const entered = await quarry(['credits', 'today', '--data', data], settings);
    expect(entered.stdout).toMatch(
      /^Energy: 0\.00 kWh \(0\.00 EUR\) today, .*reckoned with the 150 W that were entered\.$/m,
    );
    const { stdout: json } = await credits('today', '--json');
    expect(JSON.parse(json)).toMatchObject({ waiting: { answers: 0 }, energy: { basis: 'none', of: [] } });
  });

  it('is told by model', async () => {
    const { stdout } = await credits('models');
    expect(stdout).toMatch(/^By the receipts of the last 2 answers, since /m);
    const { stdout: json } = await credits('models', '--json');
    expect(JSON.parse(json)).toMatchObject({ answers: 2, models: [{ answers: 2, pointsPerHour: null }] });
  });
});

describe('quarry credits history', () => {
  it('writes CSV, filtered by kind and time', async () => {
    const all = await credits('history', '--csv');
    expect(all.stderr).toBe('');
    expect(kinds(all).slice(0, 4)).toEqual(['kind', 'earn', 'bonus', 'earn']);
    expect(kinds(all).filter((kind) => kind === 'earn')).toHaveLength(2);
    const late = await credits('history', '--csv', '--kind', 'earn', '--kind', 'bonus', '--since', '2d');
    expect(kinds(late)).toEqual(['kind', 'earn', undefined]);
  });

  it('lists the same as a table or as JSON', async () => {
    const { stdout } = await credits('history', '--kind', 'bonus', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ kind: 'bonus', amount: 0, points: 5, happened: 'First Light' }]);
    const table = await credits('history', '--since', '2d');
    expect(table.stdout).toMatch(/earn +\+2 +\+10/);
    expect(table.stdout).not.toMatch(/bonus/);
  });

  it.each([
    [['--kind', 'gift'], /There are allowance, /],
    [['--since', '7'], /7d, is wanted/],
    [['--csv', '--json'], /not as both/],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { child, stderr, stdout } = await credits('history', ...args);
    expect(child.exitCode).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(stdout).toBe('');
  });
});
