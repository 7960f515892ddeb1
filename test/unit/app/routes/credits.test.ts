import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEarning } from '../../../../src-main/app/parts/node/earning.ts';
import { creditsRoutes } from '../../../../src-main/app/routes/credits.ts';
import { implementer } from '../../../../src-main/app/routes/implementer.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';
import { ENTRY_KINDS } from '../../../../src-main/store/credits/entry-kinds.ts';
import {
  type CreditNode,
  nextRequestId,
  openCreditNode,
  signedReceipt,
  testIdentity,
} from '../../../support/credit-nodes.ts';

let node: CreditNode;
let client: ReturnType<typeof clientOf>;
beforeEach(async () => {
  node = await openCreditNode(1);
  client = clientOf(node);
});
afterEach(() => node.close());

const models = { desk: { list: async () => [], catalogue: async () => [] } };

function clientOf({ book, db }: CreditNode) {
  const earning = openEarning({ db, config: loadConfig({ env: {} }) }, { credits: book, models });
  return createRouterClient(
    creditsRoutes(implementer(pino({ level: 'silent' })).domain('credits'), { credits: book, earning }),
  );
}

const reserve = () => node.book.client.open({ requestId: nextRequestId(), worker: testIdentity(2).id, maxTokens: 256 });
const serve = () => node.book.worker.settle(signedReceipt(node.identity, testIdentity(2)));

describe('credits over the contract', () => {
  it('answer every question as the contract describes it', async () => {
    await serve();
    await reserve();
    expect(await client.summary()).toMatchObject({ available: 2, reserved: 2, pending: { requests: 0 } });
    expect(await client.entries({ kinds: ['earn'] })).toMatchObject([{ kind: 'earn', amount: 2, points: 10 }]);
    expect(await client.trusted()).toEqual({ peers: [], total: 0, owed: 0 });
    await expect(client.trusted({ limit: 201 })).rejects.toMatchObject({ data: { field: 'limit' } });
    expect(await client.kinds()).toEqual(ENTRY_KINDS.filter((kind) => kind !== 'allowance' && kind !== 'reserve'));
    expect(await client.days()).toHaveLength(30);
    expect(await client.days({ days: 366 })).toHaveLength(366);
    expect(await client.sources()).toMatchObject({ speed: 5, bonuses: 5 });
    expect(await client.served()).toHaveLength(1);
    expect(await client.today()).toMatchObject({ waiting: { answers: 0, points: 0 }, reasons: [] });
    expect(await client.forecasts()).toEqual([]);
    expect(await client.byModel()).toMatchObject({ answers: 1, models: [{ points: 10, pointsPerHour: null }] });
    expect(await client.rebuild()).toMatchObject({ ok: true });
  });

  it('refuse more than is asked for in one piece', async () => {
    await expect(client.days({ days: 367 })).rejects.toMatchObject({ data: { code: 'BAD_REQUEST', field: 'days' } });
    await expect(client.served({ limit: 201 })).rejects.toMatchObject({ data: { field: 'limit' } });
    const kinds = Array.from({ length: 21 }, () => 'earn');
    await expect(client.entries({ kinds })).rejects.toMatchObject({ data: { field: 'kinds' } });
  });

  it('come as CSV in pieces', async () => {
    await serve();
    const pieces = await Array.fromAsync(await client.csv({ kinds: ['earn'] }));
    expect(pieces.join('').split('\n')).toEqual([
      'number,time,kind,request,credits,points,happened',
      expect.stringMatching(/^1,.*,earn,.*,2,10,/),
      '',
    ]);
  });

  it('are watched until the caller has enough', async () => {
    const interrupt = new AbortController();
    const watch = await client.watch(undefined, { signal: interrupt.signal });
    expect(await watch.next()).toMatchObject({ value: { seq: 0 } });
    const next = watch.next();
    interrupt.abort();
    expect(await next).toMatchObject({ done: true });
  });
});
