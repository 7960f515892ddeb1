import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import { parsedJson } from '../../src-main/base/json-text.ts';
import { sha256 } from '../../src-main/base/sha256.ts';
import { SIGNED_HEADERS, signedText } from '../../src-main/bittensor/signed-requests/signed-text.ts';
import type { Signer } from '../../src-main/bittensor/signer.ts';
import { AxonNonceStore } from '../../src-main/store/bittensor/axon-nonces.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import { commitmentOf } from '../../src-main/subnets/quasar/competition/rules/commitment.ts';
import type { Judge, Verdict } from '../../src-main/subnets/quasar/competition/rules/verdict.ts';
import { Competition, type CompetitionOptions } from '../../src-main/subnets/quasar/competition/server/competition.ts';
import type { CompetitionTerms } from '../../src-main/subnets/quasar/competition/server/terms.ts';
import { COMPETITION_PATH, COMPETITION_TAG } from '../../src-main/subnets/quasar/competition/wire.ts';
import { REFERENCE } from '../../src-main/subnets/quasar/gpu/artefact.ts';
import { testSigner } from './bittensor-signer.ts';
import { putDatabases } from './migrated-folder.ts';

export const BLOCK_MS = 12_000;
export const HOUR_MS = 3_600_000;
export const TERMS: CompetitionTerms = {
  ...{ hours: 48, blocksUntilReveal: 100, unclaimed: 'burnt', perHotkey: 10, perRound: 256 },
  ...{ bytesPerHotkey: 1 << 20, bytes: 16 << 20 },
};
export const BASELINE = Buffer.from('the kernel that it begins with');

interface Script {
  speed?: number;
  spread?: number;
  wrong?: boolean;
  ours?: boolean;
}

/** A scripted judge: an artefact is JSON that says what comes of it. What is no JSON crashes the runner, which is the artefact’s fault; `{"ours":true}` is ours. */
export const scriptedJudge: Judge = async (artefact, { onProgress }) => {
  onProgress?.(0.5);
  const script = parsedJson(Buffer.from(artefact).toString('utf8')) as Script | undefined;
  if (script === undefined) return { right: false, fault: 'died', reason: { key: 'quasar.noClasses' } };
  if (script.ours) throw new Error('The runner has no memory.');
  if (script.wrong) return { right: false, fault: 'wrong', reason: { key: 'quasar.noClasses' } };
  const { speed = 1, spread = 0.02 } = script;
  return rightVerdict(speed, spread);
};

export function rightVerdict(speed: number, spread = 0.02): Verdict {
  return {
    right: true,
    ratio: { median: speed, low: speed - spread, high: speed + spread, pairs: 30 },
    tokensPerSecond: speed * 1_000,
    baselineTokensPerSecond: 1_000,
  };
}

/** What a signed request may have otherwise than it should. */
export interface Otherwise {
  signedBody?: Uint8Array;
  signedPath?: string;
  server?: string;
  timestamp?: number;
  nonce?: string;
  /** Who it says that it is. */
  hotkey?: string;
  /** From where it comes. Default 192.0.2.1 */
  ip?: string;
}

export interface Said {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks at of it, it compares
  body: any;
  headers: Headers;
}

/** What a miner has committed to, and needs to reveal it. */
export interface Secret {
  id: string;
  artefact: Buffer;
  track: 'kernel';
  tokens: number;
  round: number;
  salt: string;
}

/** A competition on a free port, with everything in a folder. @param dataDir where a database is, or shall be */
export async function openCompetition(dataDir: string, changed: Partial<CompetitionOptions> & { url?: string } = {}) {
  const clock = { at: Date.UTC(2026, 10, 29) };
  const server = await testSigner('//Server');
  await putDatabases(dataDir);
  const results = new ResultsDb({ dataDir, url: changed.url });
  await results.open();
  const db = await openDatabase(join(dataDir, 'quarry.db'));
  const options: CompetitionOptions = {
    ...{ server, host: '127.0.0.1', port: 0, tls: undefined, behindProxy: true, folder: join(dataDir, 'competition') },
    ...{
      store: results.competition(server.address),
      marks: new AxonNonceStore(db),
      terms: TERMS,
      judge: scriptedJudge,
    },
    ...{
      baselines: { kernel: BASELINE, gpu: REFERENCE },
      now: () => clock.at,
      lookMs: 50,
      log: pino({ level: 'silent' }),
    },
    ...changed,
  };
  const competition = await Competition.open(options);
  return {
    ...{ competition, server, clock, store: options.store },
    ask: asker(() => competition.url, server.address, options.now ?? Date.now),
    async close() {
      await competition.close();
      await results.close();
      await db.destroy();
    },
  };
}

/** Asks a competition as a hotkey, or as nobody. @param now by the clock of who asks, Unix milliseconds */
export function asker(url: () => string, server: string, now: () => number) {
  return async (signer: Signer | undefined, route: string, body?: unknown, other: Otherwise = {}): Promise<Said> => {
    const [method = '', path = ''] = route.split(' ');
    const whole = `${COMPETITION_PATH}${path}`;
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const response = await fetch(`${url()}${whole}`, {
      method,
      headers: {
        'x-forwarded-for': other.ip ?? '192.0.2.1',
        ...(bytes && { 'content-type': 'application/json' }),
        ...(signer && (await headersOf(signer, { method, path: whole, bytes, server, now: now(), other }))),
      },
      ...(bytes && { body: bytes }),
    });
    const answer = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const { status, headers } = response;
    return { status, headers, body: isJson ? JSON.parse(answer.toString()) : answer };
  };
}
export type Ask = ReturnType<typeof asker>;

async function headersOf(
  signer: Signer,
  request: { method: string; path: string; bytes: Buffer | undefined; server: string; now: number; other: Otherwise },
): Promise<Record<string, string>> {
  const { method, path, bytes, server, now, other } = request;
  const signed = {
    ...{ tag: COMPETITION_TAG, server: other.server ?? server, method, path: other.signedPath ?? path },
    bodySha256: sha256(other.signedBody ?? bytes ?? Buffer.alloc(0)).toString('hex'),
    ...{ timestamp: other.timestamp ?? now, nonce: other.nonce ?? randomBytes(16).toString('hex') },
    hotkey: other.hotkey ?? signer.address,
  };
  return {
    [SIGNED_HEADERS.hotkey]: signed.hotkey,
    [SIGNED_HEADERS.timestamp]: String(signed.timestamp),
    [SIGNED_HEADERS.nonce]: signed.nonce,
    [SIGNED_HEADERS.body]: signed.bodySha256,
    [SIGNED_HEADERS.signature]: Buffer.from(await signer.sign(Buffer.from(signedText(signed)))).toString('hex'),
  };
}

/** Commits to a scripted artefact. @returns what the server said, and what is needed to reveal it */
export async function commit(
  ask: Ask,
  miner: Signer,
  script: object | string,
  { tokens = 300_000, round = 1, other = {} }: { tokens?: number; round?: number; other?: Otherwise } = {},
): Promise<{ said: Said; secret: Secret }> {
  const artefact = Buffer.from(typeof script === 'string' ? script : JSON.stringify(script));
  const [salt, track] = [randomBytes(32).toString('hex'), 'kernel' as const];
  const about = { hotkey: miner.address, track, sha256: sha256(artefact).toString('hex'), tokens, round, salt };
  const said = await ask(miner, 'POST /commitments', { track, round, commitment: commitmentOf(about) }, other);
  return { said, secret: { id: said.body.id, artefact, track, tokens, round, salt } };
}

export function reveal(
  ask: Ask,
  miner: Signer,
  secret: Secret,
  changed: object = {},
  other: Otherwise = {},
): Promise<Said> {
  const { id, artefact, ...told } = secret;
  const body = { ...told, artefact: artefact.toString('base64'), ...changed };
  return ask(miner, `POST /submissions/${id}/reveal`, body, other);
}
