import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { sr25519KeypairFromSeed, sr25519Sign, waitReady } from '@polkadot/wasm-crypto';
import { addressOf } from '../../bittensor/address.ts';
import { requestHeaders, signedText } from '../../bittensor/synapse/headers.ts';
import type { SynapseType } from '../../bittensor/synapse/synapse.ts';
import { quantile } from '../row.ts';

/** Requests on their way at a time. */
const CONNECTIONS = 32;
/** Seconds that callers say they wait: so long may a request be signed before it is sent. */
const TIMEOUT_S = 60;
const NS = 1_000_000n;

interface Key {
  public: Uint8Array;
  secret: Uint8Array;
  address: string;
}

interface SignedRequest {
  headers: Record<string, string>;
  body: string;
}

/** What an axon was found to do. */
export interface LoadFigures {
  perSecond: number;
  /** Milliseconds below which 99 of 100 answers were there. */
  p99Ms: number;
}

/** Validators by the thousand, who ask one axon as fast as it answers. */
export class AxonLoad {
  readonly #keys: Key[];
  readonly #type: SynapseType<{ prompt: string; said: string }>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  #sent = 0;

  private constructor(keys: Key[], type: SynapseType<{ prompt: string; said: string }>) {
    this.#keys = keys;
    this.#type = type;
  }

  /** @param hotkeys how many */
  static async open(hotkeys: number, type: SynapseType<{ prompt: string; said: string }>): Promise<AxonLoad> {
    await waitReady();
    return new AxonLoad(Array.from({ length: hotkeys }, newKey), type);
  }

  /** Signs so many requests, and then sends them. @throws Error when one is not answered with 200 */
  async run(axon: { port: number; hotkey: string }, count: number): Promise<LoadFigures> {
    const requests = Array.from({ length: count }, () => this.#sign(axon));
    const waits: number[] = [];
    const startedAt = performance.now();
    const sender = async () => {
      for (let next = requests.pop(); next; next = requests.pop()) waits.push(await this.#send(axon.port, next));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, sender));
    const perSecond = (count * 1_000) / (performance.now() - startedAt);
    return {
      perSecond,
      p99Ms: quantile(
        waits.toSorted((a, b) => a - b),
        0.99,
      ),
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Each request has a uuid of its own: they do not arrive in the order in which they were signed. */
  #sign({ port, hotkey }: { port: number; hotkey: string }): SignedRequest {
    const at = this.#sent++;
    const key = this.#keys[at % this.#keys.length] as Key;
    const fields = { prompt: `What is ${at} and ${at}?`, said: '' };
    const signed = {
      ...{ timeout: TIMEOUT_S, hotkey: key.address, uuid: `load-${at}`, nonce: BigInt(Date.now()) * NS },
      bodyHash: this.#type.hash(fields),
    };
    const signature = sr25519Sign(key.public, key.secret, Buffer.from(signedText(signed, hotkey)));
    const axon = { ip: '127.0.0.1', port, hotkey };
    const body = JSON.stringify(fields);
    const head = requestHeaders(this.#type, { ...signed, signature }, { axon, ip: '0.0.0.0', bodyBytes: body.length });
    return { headers: { 'content-type': 'application/json', ...head }, body };
  }

  #send(port: number, { headers, body }: SignedRequest): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const startedAt = performance.now();
    const options = { host: '127.0.0.1', port, path: '/Echo', method: 'POST', agent: this.#agent, headers };
    const asked = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', reject).once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - startedAt);
        else reject(new Error(`The axon answered ${response.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    asked.once('error', reject).end(body);
    return promise;
  }
}

function newKey(): Key {
  const pair = sr25519KeypairFromSeed(randomBytes(32));
  return { secret: pair.slice(0, 64), public: pair.slice(64), address: addressOf(pair.slice(64)) };
}
