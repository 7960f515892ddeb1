import { type Saying, say, told } from '../../../src-preload/contract/saying.ts';
import { ignoring } from '../../base/swallowed.ts';
import type { CheckResult } from './check.ts';

export interface ClockOptions {
  /** Asked for its Date header; absent when no web address may be assumed. */
  url?: string;
  /** Milliseconds that each connected peer's clock is ahead of ours, from their hellos. */
  peerOffsets?: (() => Promise<number[]>) | undefined;
  fetch?: typeof globalThis.fetch;
  now?: () => number;
  /** Milliseconds to wait for the web server. Default 5,000. */
  timeoutMs?: number;
}

/** A Date header counts whole seconds, and peers' hellos travel: less than this is no offset. */
const CLOSE_MS = 5_000;
/** Peers refuse signed messages whose time is off by more than this. */
const REFUSED_MS = 120_000;

/** How far this computer's clock is off, by peers or by a web server; skipped when nobody can be asked. */
export async function checkClock(options: ClockOptions): Promise<CheckResult> {
  const name = 'clock';
  const offset = (await offsetByPeers(options)) ?? (await offsetByHttp(options));
  if (offset === undefined) {
    return {
      name,
      status: 'skip',
      ...told({
        found: say('doctor.clock.notCompared', {
          because: say(options.peerOffsets ? 'doctor.clock.noPeer' : 'doctor.clock.noNode'),
        }),
        advice: say('doctor.clock.compare'),
      }),
    };
  }
  const params = { seconds: Math.abs(offset.ms) / 1_000, whose: offset.whose };
  const found = say(offset.ms > 0 ? 'doctor.clock.behind' : 'doctor.clock.ahead', params);
  if (Math.abs(offset.ms) <= CLOSE_MS) return { name, status: 'ok', ...told({ found }) };
  const advice = say('doctor.clock.automatic');
  return { name, status: Math.abs(offset.ms) > REFUSED_MS ? 'fail' : 'warn', ...told({ found, advice }) };
}

/** Positive when the others are ahead of us. */
interface Offset {
  ms: number;
  whose: Saying;
}

/** The median: one peer with a wrong clock must not blame ours. */
async function offsetByPeers({ peerOffsets }: ClockOptions): Promise<Offset | undefined> {
  const offsets =
    (await peerOffsets?.().catch(ignoring('without peers a web server is asked')))?.toSorted((a, b) => a - b) ?? [];
  const median = offsets[Math.floor(offsets.length / 2)];
  return median === undefined
    ? undefined
    : {
        ms: median,
        whose:
          offsets.length === 1 ? say('doctor.clock.onePeer') : say('doctor.clock.peers', { count: offsets.length }),
      };
}

async function offsetByHttp(options: ClockOptions): Promise<Offset | undefined> {
  const { url, fetch = globalThis.fetch, now = Date.now, timeoutMs = 5_000 } = options;
  if (!url) return undefined;
  const asked = now();
  const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs) }).catch(
    ignoring('the check says that nobody told the time'),
  );
  const theirs = Date.parse(response?.headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return undefined;
  const middle = (asked + now()) / 2;
  // The header is cut to the second: on average it is half a second old.
  return { ms: theirs + 500 - middle, whose: say('doctor.clock.server', { host: new URL(url).host }) };
}
