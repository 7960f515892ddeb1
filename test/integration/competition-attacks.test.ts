import { describe, expect, it, onTestFinished } from 'vitest';
import { ROUTES } from '../../src-main/subnets/quasar/competition/routes.ts';
import {
  COMPETITION_PATH,
  currentRoundSchema,
  submissionSchema,
} from '../../src-main/subnets/quasar/competition/wire.ts';
import { testSigner } from '../support/bittensor-signer.ts';
import {
  BLOCK_MS,
  commit,
  HOUR_MS,
  type Otherwise,
  openCompetition,
  reveal,
  TERMS,
} from '../support/open-competition.ts';
import { temporaryFolder } from '../support/quarry-process.ts';

async function place() {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

async function opened(...[changed]: [Parameters<typeof openCompetition>[1]?]) {
  const here = await openCompetition(await place(), changed);
  onTestFinished(() => here.close());
  const [ann, bob] = await Promise.all(['//Ann', '//Bob'].map(testSigner));
  const pass = (blocks: number) => {
    here.clock.at += blocks * BLOCK_MS;
  };
  return { ...here, ann: ann!, bob: bob!, pass };
}

const REFUSED: [string, Otherwise][] = [
  ['another body', { signedBody: Buffer.from('{}') }],
  ['another path', { signedPath: `${COMPETITION_PATH}/appeals` }],
  ['another server', { server: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty' }],
  ['another’s hotkey', { hotkey: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty' }],
  ['61 seconds ago', { timestamp: Date.UTC(2026, 10, 29) - 61_000 }],
  ['in 61 seconds', { timestamp: Date.UTC(2026, 10, 29) + 61_000 }],
];

describe('a request is refused that was signed', () => {
  it.each(REFUSED)('for %s', async (_, other) => {
    const { ask, ann } = await opened();
    const { said } = await commit(ask, ann, { speed: 2 }, { other });
    expect(said).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
  });

  it('and is sent again, also after a restart', async () => {
    const dataDir = await place();
    const first = await openCompetition(dataDir);
    const ann = await testSigner('//Ann');
    const other = { nonce: 'ab'.repeat(16), timestamp: first.clock.at };
    expect((await first.ask(ann, 'GET /submissions', undefined, other)).status).toBe(200);
    expect((await first.ask(ann, 'GET /submissions', undefined, other)).status).toBe(401);
    await first.close();
    const second = await openCompetition(dataDir);
    onTestFinished(() => second.close());
    expect(await second.ask(ann, 'GET /submissions', undefined, other)).toMatchObject({
      status: 401,
      body: { error: { message: 'This nonce was used before.' } },
    });
  });
});

it('health, rounds, the leader board and the description of the API are open; all else wants a signature', async () => {
  const { ask } = await opened();
  for (const [name, { at, access }] of Object.entries(ROUTES)) {
    const { status } = await ask(undefined, at.replace(':round', '1').replace(/:\w+/, 'a'.repeat(32)));
    expect([name, status === 401], name).toEqual([name, access !== 'open']);
  }
  const { status, body, headers } = await ask(undefined, 'GET /openapi.json');
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
  const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  const routes = Object.values(ROUTES).map(({ at }) => at.replace(' ', ` ${COMPETITION_PATH}`));
  expect(described.sort()).toEqual(routes.sort());
  expect(
    body.paths[`${COMPETITION_PATH}/commitments`].post.requestBody.content['application/json'].schema,
  ).toMatchObject({
    required: ['track', 'round', 'commitment'],
  });
  expect(currentRoundSchema.parse((await ask(undefined, 'GET /rounds/current')).body)).toMatchObject({
    round: 1,
    state: 'open',
  });
});

it('a track that is closed is told with the reason, and nothing is committed to it', async () => {
  const { ask, ann } = await opened({ closed: { gpu: 'no-card' } });
  const { body } = await ask(undefined, 'GET /rounds/current');
  expect(currentRoundSchema.parse(body).tracks).toEqual([
    { track: 'kernel', closed: null },
    { track: 'gpu', closed: 'no-card' },
  ]);
  const commitment = { track: 'gpu', round: 1, commitment: 'ab'.repeat(32) };
  expect(await ask(ann, 'POST /commitments', commitment)).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT', message: expect.stringMatching(/closed.*no graphics card/) } },
  });
  const open = await opened();
  expect((await open.ask(open.ann, 'POST /commitments', commitment)).status).toBe(201);
});

describe('a commitment', () => {
  it('is made once, for the round that is open, and revealed after 100 blocks', async () => {
    const { ask, ann, bob, pass } = await opened();
    const { said, secret } = await commit(ask, ann, { speed: 2 });
    expect(said.status).toBe(201);
    expect(submissionSchema.parse(said.body)).toMatchObject({
      number: 1,
      state: 'committed',
      blocksLeft: 100,
      aboutMs: 1_200_000,
    });
    expect(
      await ask(ann, 'POST /commitments', { track: 'kernel', round: 1, commitment: said.body.commitment }),
    ).toMatchObject({
      status: 409,
    });
    expect((await commit(ask, bob, { speed: 3 }, { round: 2 })).said.status).toBe(409);
    pass(99);
    expect(await reveal(ask, ann, secret)).toMatchObject({
      status: 425,
      body: {
        error: { code: 'TOO_EARLY', message: expect.stringMatching(/1 blocks, about 1 minutes/), retryAfter: BLOCK_MS },
      },
    });
    pass(1);
    expect(await reveal(ask, ann, secret)).toMatchObject({ status: 200, body: { state: 'revealed', league: 300_000 } });
    expect(await reveal(ask, ann, secret)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect((await reveal(ask, ann, { ...secret, id: 'f'.repeat(32) })).status).toBe(404);
  });

  it('that was stolen can be revealed by nobody else, and be made by a thief without taking it away', async () => {
    const { ask, ann, bob, pass } = await opened();
    const { said, secret } = await commit(ask, ann, { speed: 2 });
    const stolen = await ask(bob, 'POST /commitments', { track: 'kernel', round: 1, commitment: said.body.commitment });
    expect(stolen.status).toBe(201);
    pass(100);
    expect(await reveal(ask, bob, secret)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(await reveal(ask, bob, { ...secret, id: stolen.body.id })).toMatchObject({
      status: 400,
      body: { error: { code: 'MISMATCH' } },
    });
    expect((await reveal(ask, ann, secret)).status).toBe(200);
  });

  it.each([
    ['artefact', { artefact: Buffer.from('{"speed":9}').toString('base64') }],
    ['tokens', { tokens: 1_000_000 }],
    ['round', { round: 2 }],
    ['salt', { salt: 'f'.repeat(64) }],
  ])('cannot be revealed with another %s', async (_, changed) => {
    const { ask, ann, pass } = await opened();
    const { secret } = await commit(ask, ann, { speed: 2 });
    pass(100);
    expect(await reveal(ask, ann, secret, changed)).toMatchObject({
      status: 400,
      body: { error: { code: 'MISMATCH' } },
    });
    expect((await ask(ann, `GET /submissions/${secret.id}`)).body.state).toBe('committed');
  });

  it('is told to its hotkey alone; of those of others only how many there are', async () => {
    const { ask, ann, bob } = await opened();
    const { secret } = await commit(ask, ann, { speed: 2 });
    expect((await ask(bob, `GET /submissions/${secret.id}`)).status).toBe(403);
    expect((await ask(bob, 'GET /reveals')).body).toMatchObject({ own: [], others: 1 });
    expect((await ask(ann, 'GET /reveals')).body).toMatchObject({ own: [{ id: secret.id }], others: 0 });
  });

  it('is one of so many', async () => {
    const { ask, ann } = await opened({ terms: { ...TERMS, perHotkey: 2 } });
    await commit(ask, ann, { speed: 2 });
    await commit(ask, ann, { speed: 3 });
    expect((await commit(ask, ann, { speed: 4 })).said).toMatchObject({
      status: 429,
      body: { error: { code: 'FULL' } },
    });
  });
});

it('an artefact that is too large, or for which there is no room, is refused', async () => {
  const { ask, ann, pass } = await opened({ terms: { ...TERMS, bytesPerHotkey: 100 } });
  const { secret } = await commit(ask, ann, 'x'.repeat(200));
  const { secret: large } = await commit(ask, ann, 'x'.repeat((1 << 20) + 1));
  pass(100);
  expect(await reveal(ask, ann, secret)).toMatchObject({ status: 429, body: { error: { code: 'FULL' } } });
  expect(await reveal(ask, ann, large)).toMatchObject({ status: 413 });
});

describe('a role', () => {
  it('that a hotkey has not gives it nothing', async () => {
    const { ask, ann, server } = await opened();
    expect((await ask(ann, 'GET /weights')).status).toBe(403);
    expect((await ask(ann, 'POST /rounds/1/end', {})).status).toBe(403);
    expect((await ask(ann, 'GET /bans')).status).toBe(403);
    expect((await ask(server, 'GET /bans')).status).toBe(200);
    expect((await commit(ask, server, { speed: 2 })).said.status).toBe(403); // it knows the seeds
  });

  it('comes from the subnet where there is one, or from the settings', async () => {
    const [ann, bob, eve] = (await Promise.all(['//Ann', '//Bob', '//Eve'].map(testSigner))) as [
      Awaited<ReturnType<typeof testSigner>>,
      Awaited<ReturnType<typeof testSigner>>,
      Awaited<ReturnType<typeof testSigner>>,
    ];
    const places = new Map([
      [ann.address, { uid: 3, validatorPermit: true, stake: 5n }],
      [bob.address, { uid: 4, validatorPermit: true, stake: 4n }],
    ]);
    const metagraph = async (hotkey: string) => places.get(hotkey);
    const chain = { head: async () => 7_000_000, metagraph };
    const { ask } = await opened({ chain, leastStake: 5n });
    expect((await ask(ann, 'GET /weights')).status).toBe(404); // no round has ended
    expect((await ask(bob, 'GET /weights')).status).toBe(403);
    expect((await commit(ask, eve, { speed: 2 })).said.status).toBe(403);
    expect((await commit(ask, bob, { speed: 2 })).said.body).toMatchObject({ committedBlock: 7_000_000 });
    const trusting = await opened({ chain, trusted: [eve.address] });
    expect((await trusting.ask(eve, 'GET /weights')).status).toBe(404);
  });
});

it('ten requests of a hotkey are answered, the next when a sixth of a minute has passed', async () => {
  const { ask, ann, bob, clock } = await opened();
  for (let count = 0; count < 10; count++) expect((await ask(ann, 'GET /submissions')).status).toBe(200);
  const refused = await ask(ann, 'GET /submissions');
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT', retryAfter: 6_000 } } });
  expect(refused.headers.get('retry-after')).toBe('6');
  expect((await ask(bob, 'GET /submissions')).status).toBe(200);
  clock.at += 6_000;
  expect((await ask(ann, 'GET /submissions')).status).toBe(200);
});

it('a flood from an address is refused, and no other address by it', async () => {
  const { ask } = await opened();
  const statuses: number[] = [];
  for (let count = 0; count < 70; count++) statuses.push((await ask(undefined, 'GET /health')).status);
  expect(statuses.filter((status) => status === 429).length).toBe(10);
  expect((await ask(undefined, 'GET /health', undefined, { ip: '192.0.2.2' })).status).toBe(200);
});

describe('an address that has failed five times', () => {
  const forged = { hotkey: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty' };

  it('is banned for a day, also after a restart, and others are not', async () => {
    const dataDir = await place();
    const first = await openCompetition(dataDir);
    const ann = await testSigner('//Ann');
    for (let count = 0; count < 5; count++) await first.ask(ann, 'GET /submissions', undefined, forged);
    expect(await first.ask(ann, 'GET /submissions')).toMatchObject({
      status: 403,
      body: { error: { code: 'BANNED', retryAfter: 24 * HOUR_MS } },
    });
    expect((await first.ask(ann, 'GET /submissions', undefined, { ip: '192.0.2.9' })).status).toBe(200);
    await first.close();
    const second = await openCompetition(dataDir);
    onTestFinished(() => second.close());
    expect((await second.ask(ann, 'GET /submissions')).status).toBe(403);
    expect((await second.ask(undefined, 'GET /health')).status).toBe(200);
    second.clock.at += 24 * HOUR_MS;
    expect((await second.ask(ann, 'GET /submissions')).status).toBe(200);
  });

  it('appeals once, and is let in again by who runs it', async () => {
    const { ask, ann, server } = await opened();
    for (let count = 0; count < 5; count++) await ask(ann, 'GET /submissions', undefined, forged);
    expect((await ask(ann, 'POST /appeals', { note: 'We are\0many.' })).status).toBe(400);
    expect((await ask(ann, 'POST /appeals', { note: 'We are many here.' })).status).toBe(200);
    expect((await ask(ann, 'POST /appeals', { note: 'Again.' })).status).toBe(409);
    const elsewhere = { ip: '198.51.100.1' };
    const { body } = await ask(server, 'GET /bans', undefined, elsewhere);
    expect(body.bans).toMatchObject([
      { address: '192.0.2.1', appeal: { note: 'We are many here.', hotkey: ann.address } },
    ]);
    expect((await ask(server, 'POST /bans/lift', { address: '192.0.2.1' }, elsewhere)).body).toEqual({ lifted: true });
    expect((await ask(ann, 'GET /submissions')).status).toBe(200);
  });

  it('has not where it was right in between, or where a day lies between', async () => {
    const { ask, ann, clock, pass } = await opened();
    const { secret } = await commit(ask, ann, { speed: 2 });
    pass(100);
    for (let count = 0; count < 4; count++) await reveal(ask, ann, secret, { tokens: 400_000 });
    expect((await reveal(ask, ann, secret)).status).toBe(200);
    for (let count = 0; count < 4; count++) await ask(ann, 'GET /submissions', undefined, forged);
    clock.at += 24 * HOUR_MS;
    await ask(ann, 'GET /submissions', undefined, forged);
    expect((await ask(ann, 'GET /submissions')).status).toBe(200);
  });

  it('is a network of IPv6, and never this computer', async () => {
    const { ask, ann } = await opened();
    const from = (ip: string) => ask(ann, 'GET /submissions', undefined, { ...forged, ip });
    for (let count = 0; count < 5; count++) await from(`2001:db8:7:${count}::1`);
    expect((await ask(ann, 'GET /submissions', undefined, { ip: '2001:db8:7:ffff::2' })).status).toBe(403);
    for (let count = 0; count < 6; count++) await from('127.0.0.1');
    expect((await ask(ann, 'GET /submissions', undefined, { ip: '127.0.0.1' })).status).toBe(200);
  });
});
