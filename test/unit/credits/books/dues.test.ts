import { type CompiledQuery, Kysely, type LogEvent } from 'kysely';
import pino from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Pace } from '../../../../src-main/base/pace.ts';
import { type Dues, loadDues } from '../../../../src-main/credits/books/dues.ts';
import { openCreditBook } from '../../../../src-main/credits/ledger/credit-book.ts';
import { verify } from '../../../../src-main/mesh/transport/identity.ts';
import { type Db, migrations, type Tables } from '../../../../src-main/store/database.ts';
import { migrate } from '../../../../src-main/store/migrate.ts';
import { openSqlite, QuarryDialect } from '../../../../src-main/store/sqlite.ts';
import { NOON, nextRequestId, testIdentity } from '../../../support/credit-nodes.ts';

/** More than two pages of them. */
const PEERS = 2_500;
const PAGE = 1_000;
const GIFTS = { most: 20, perDay: 10 };

let db: Db;
let asked: CompiledQuery[];
beforeEach(async () => {
  const log = ({ query }: LogEvent) => void asked.push(query);
  asked = [];
  db = new Kysely<Tables>({ dialect: new QuarryDialect(openSqlite(':memory:')), log });
  await migrate(db, { migrations, book: { table: 'done', lockTable: 'done_lock' }, place: 'memory' });
  for (let number = 0; number < PEERS; number++) {
    const accounts = Object.entries(balancesOf(number)).map(([account, balance]) => ({ account, balance }));
    await db.insertInto('balances').values(accounts).execute();
  }
  asked = [];
});
afterEach(() => db.destroy());

function peer(number: number): string {
  return number.toString(16).padStart(64, '0');
}

/** A third of them have served this node, a third were only moved something, a third were served by it; every fifth has nothing left. */
function balancesOf(number: number): Record<string, number> {
  const id = peer(number);
  const left = number % 5 === 0 ? 0 : 3;
  const owes = { [`owes:${id}`]: left, [`client:${id}:spent`]: 4 };
  const had = { [`claim:${id}`]: left, [`vouched:${id}`]: 1 };
  if (number % 3 === 0) return { ...had, [`issue:service:${id}`]: -7, [`word:${id}`]: 2 };
  if (number % 3 === 1) return { ...had, [`moved:${id}`]: 6 };
  return owes;
}

const load = (pace?: Pace) => loadDues(db, { id: testIdentity(1).id, verify, gifts: GIFTS, ...(pace && { pace }) });

it('are what the balances say of every peer, also of those who have nothing left', async () => {
  const { claims, debtors } = await load();
  const sums = { owed: 0, owes: 0 };
  for (let number = 0; number < PEERS; number++) {
    const [id, left, kind] = [peer(number), number % 5 === 0 ? 0 : 3, number % 3];
    const claim = kind === 2 ? 0 : left;
    const found = [claims.free(id), claims.own(id), claims.knows(id), claims.trusts(id, 33), claims.trusts(id, 34)];
    expect(found).toEqual([claim, kind === 0 ? claim : 0, kind === 0, kind === 0, false]);
    expect([debtors.knows(id), debtors.of(id)]).toEqual([kind === 2, kind === 2 ? left : 0]);
    sums.owed += claim;
    sums.owes += kind === 2 ? left : 0;
  }
  expect({ owed: claims.total, owes: debtors.total }).toEqual(sums);
});

it('are read by pages, with turns for everything else, and are not there before all of them are', async () => {
  let dues: Dues | undefined;
  const loading = load(new Pace({ sliceMs: 0 })).then((loaded) => {
    dues = loaded;
  });
  let turns = 0;
  for (; !dues; turns++) await new Promise(setImmediate);
  await loading;
  const pages = asked.filter(({ sql }) => /FROM balances/.test(sql));
  expect(pages.every(({ sql, parameters }) => / LIMIT \?$/.test(sql) && Number(parameters.at(-1)) <= PAGE)).toBe(true);
  expect(pages.length).toBeGreaterThan(5); // five kinds of accounts, and some of them have more than a page
  expect(turns).toBeGreaterThan(5);
  expect([dues.claims.free(peer(PEERS - 1)), dues.debtors.of(peer(PEERS - 2))]).toEqual([3, 3]); // the last of both
});

it('decide about the very first request, whoever it is from', async () => {
  const log = pino({ level: 'silent' });
  const book = await openCreditBook({ db, identity: testIdentity(1), verify, gifts: GIFTS, now: () => NOON, log });
  for (let number = 0; number < PEERS; number++) {
    if (number % 3 === 2 || number % 5 === 0) continue;
    const request = { requestId: nextRequestId(), client: peer(number), host: '203.0.113.7', maxTokens: 512 };
    expect(await book.worker.fund({ ...request, vouchers: [] })).toMatchObject({ funds: 'claim' });
  }
  await book.close();
});
