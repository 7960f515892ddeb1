import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished } from 'vitest';
import { giveFile } from '../../src-main/app/market/give-file.ts';
import { sha256 } from '../../src-main/base/sha256.ts';
import { SIGNED_HEADERS, signedText } from '../../src-main/bittensor/signed-requests/signed-text.ts';
import type { Signer } from '../../src-main/bittensor/signer.ts';
import { verify } from '../../src-main/mesh/transport/identity.ts';
import { AxonNonceStore } from '../../src-main/store/bittensor/axon-nonces.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { MarketStore } from '../../src-main/store/market/focus-market.ts';
import { Market, type MarketOptions } from '../../src-main/subnets/omega/market/server/market.ts';
import { scoreCardBytes } from '../../src-main/subnets/omega/market/signing.ts';
import { MARKET_PATH, type Submit } from '../../src-main/subnets/omega/market/wire.ts';
import { testSigner } from './bittensor-signer.ts';
import { testIdentity } from './credit-nodes.ts';
import { ScriptedMarketChain } from './market-chain.ts';
import { temporaryFolder } from './quarry-process.ts';
import { until } from './until.ts';

/** What a signed request may have otherwise than it should. */
export interface Otherwise {
  /** That is signed; another is sent. */
  signedPath?: string;
  signedMethod?: string;
  signedBody?: Uint8Array;
  market?: string;
  timestamp?: number;
  nonce?: string;
  /** Who it says that it is. */
  hotkey?: string;
  headers?: Record<string, string | undefined>;
}

export interface Said {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks at of it, it compares
  body: any;
  headers: Headers;
}

/** A market of this process on a free port, over a scripted chain, with files in a folder that goes away with the test. */
export async function openTestMarket(changed: Partial<MarketOptions> = {}) {
  const folder = await temporaryFolder();
  const db = await openDatabase(':memory:');
  const store = new MarketStore(db);
  const chain = new ScriptedMarketChain();
  const [own, seller, ann, bob] = await Promise.all(
    ['//Market', '//Sam//hot', '//Ann//hot', '//Bob//hot'].map(testSigner),
  );
  const [sellerCold, annCold, bobCold] = await Promise.all(['//Sam', '//Ann', '//Bob'].map(testSigner));
  for (const [hot, cold] of [
    [seller, sellerCold],
    [ann, annCold],
    [bob, bobCold],
  ] as [Signer, Signer][]) {
    chain.owners.set(hot.address, cold.address);
  }
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const options: MarketOptions = {
    ...{ market: own!.address, host: '127.0.0.1', port: 0, tls: undefined, behindProxy: false },
    ...{ folder: join(folder.path, 'market'), store, marks: new AxonNonceStore(db), chain, verify, now },
    pool: () => 1_000_000_000_000n,
    limits: () => ({ videoBytes: 100_000_000, diskBytes: 100_000_000, keepMs: 3_600_000 }),
    trusted: () => [],
    boosted: async (id) =>
      id === 'budget' ? { title: 'Build a budget', description: 'With sums.', multiplier: 2 } : undefined,
    tasks: [{ id: 'plan-a-route', title: 'Plan a route', description: 'For five parcels.' }],
    checkVideo: async () => ({ durationMs: 600_000 }),
    picturesOf: async () => [],
    score: async () => ({ score: 0.5, reason: 'It shows work.', review: false }),
    giveFile,
    log: pino({ level: 'silent' }),
    ...changed,
  };
  let market = await Market.open(options);
  onTestFinished(async () => {
    await market.close();
    await db.destroy();
    await folder.remove();
  });

  /** The headers of a request that is signed. */
  async function signed(signer: Signer, method: string, path: string, body: Uint8Array, other: Otherwise = {}) {
    const bodySha256 = sha256(other.signedBody ?? body).toString('hex');
    const timestamp = other.timestamp ?? now();
    const nonce = other.nonce ?? randomBytes(16).toString('hex');
    const hotkey = other.hotkey ?? signer.address;
    const text = signedText({
      ...{ tag: 'quarry-market-1', server: other.market ?? options.market, hotkey, bodySha256, timestamp, nonce },
      ...{ method: other.signedMethod ?? method, path: other.signedPath ?? path },
    });
    const signature = Buffer.from(await signer.sign(Buffer.from(text))).toString('hex');
    const { hotkey: h, timestamp: t, nonce: n, body: b, signature: s } = SIGNED_HEADERS;
    return { [h]: hotkey, [t]: String(timestamp), [n]: nonce, [b]: bodySha256, [s]: signature };
  }

  async function ask(signer: Signer, route: string, body?: unknown, other: Otherwise = {}): Promise<Said> {
    const [method = '', rest = ''] = route.split(' ');
    const path = rest.startsWith('!') ? rest.slice(1) : `${MARKET_PATH}${rest}`;
    const isBytes = body instanceof Uint8Array;
    const bytes = isBytes ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const headers = { ...(await signed(signer, method, path, bytes, other)), ...other.headers } as Record<
      string,
      string
    >;
    for (const [name, value] of Object.entries(headers)) if (value === undefined) delete headers[name];
    if (body !== undefined && !isBytes) headers['content-type'] ??= 'application/json';
    if (isBytes) headers['content-type'] ??= 'application/octet-stream';
    const response = await fetch(`${market.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: new Uint8Array(bytes) }),
    });
    const answer = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(answer.toString()) : answer,
    };
  }

  /** What a seller says of a video. */
  function submitOf(video: Uint8Array, { task, ...more }: Partial<Submit> & { task?: string } = {}): Submit {
    const node = testIdentity(1);
    const hash = sha256(video).toString('hex');
    const card = { version: '1', score: 0.8, at: 1, ...(task !== undefined && { task }), node: node.id };
    const chain = { chunks: 600, startedAt: 1, node: node.id, link: 'a'.repeat(64), signature: 'b'.repeat(128) };
    const signature = node.sign(scoreCardBytes({ sha256: hash, scoreCard: card, chain }));
    return {
      ...{
        title: 'Write a parser',
        description: '',
        kind: 'user',
        wish: null,
        seller: sellerCold!.address,
        sha256: hash,
      },
      ...{ bytes: video.length, durationMs: 600_000, scoreCard: { ...card, signature } },
      chain,
      ...more,
    };
  }

  /** Offers a video and uploads it in one piece. @returns its id */
  async function offer(
    video: Uint8Array = randomBytes(5_000),
    more: Parameters<typeof submitOf>[1] = {},
  ): Promise<string> {
    const { status, body } = await ask(seller!, 'POST /offers', submitOf(video, more));
    if (status !== 201) throw new Error(JSON.stringify(body));
    await piece(body.id, video, 0, video.length);
    return body.id;
  }

  /** Resolves when an offer has been looked at. @returns it as it is then */
  async function looked(id: string) {
    return until(async () => {
      const offer = await store.offer(id);
      expect(offer?.state).not.toMatch(/uploading|processing/);
      return offer!;
    });
  }

  /** Resolves when it is for sale. */
  const listed = async (id: string) => expect((await looked(id)).state).toBe('submitted');

  const piece = (id: string, video: Uint8Array, from: number, to: number) => {
    const headers = { 'content-range': `bytes ${from}-${to - 1}/${video.length}` };
    return ask(seller!, `PUT /offers/${id}/bytes`, video.subarray(from, to), { headers });
  };

  const reopen = async () => {
    await market.close();
    market = await Market.open(options);
  };
  const pay = (from: Signer, amount: string) =>
    chain.transfer({ from: from.address, to: sellerCold!.address, amount: BigInt(amount) });
  return {
    ...{
      ask,
      looked,
      listed,
      signed,
      submitOf,
      offer,
      piece,
      reopen,
      pay,
      store,
      chain,
      clock,
      folder: options.folder,
    },
    ...{ seller: seller!, ann: ann!, bob: bob!, annCold: annCold!, bobCold: bobCold!, own: own! },
    get url() {
      return market.url;
    },
    get market() {
      return market;
    },
  };
}
