import type { Signer } from '../../bittensor/signer.ts';
import { requestHeaders, signedText } from '../../bittensor/synapse/headers.ts';
import type { SynapseType } from '../../bittensor/synapse/synapse.ts';
import { newKeys } from '../bittensor-keys.ts';
import { HttpLoad, type LoadFigures, type PreparedRequest } from '../http-load.ts';

/** Seconds that callers say they wait: so long may a request be signed before it is sent. */
const TIMEOUT_S = 60;
const NS = 1_000_000n;

/** Validators by the thousand, who ask one axon as fast as it answers. */
export class AxonLoad {
  readonly #keys: Signer[];
  readonly #type: SynapseType<{ prompt: string; said: string }>;
  readonly #load = new HttpLoad();
  #sent = 0;

  private constructor(keys: Signer[], type: SynapseType<{ prompt: string; said: string }>) {
    this.#keys = keys;
    this.#type = type;
  }

  /** @param hotkeys how many */
  static async open(hotkeys: number, type: SynapseType<{ prompt: string; said: string }>): Promise<AxonLoad> {
    return new AxonLoad(await newKeys(hotkeys), type);
  }

  /** Signs so many requests, and then sends them. @throws Error when one is not answered with 200 */
  async run(axon: { port: number; hotkey: string }, count: number): Promise<LoadFigures> {
    const requests = await Promise.all(Array.from({ length: count }, () => this.#sign(axon)));
    return await this.#load.run(axon.port, requests);
  }

  close(): void {
    this.#load.close();
  }

  /** Each request has a uuid of its own: they do not arrive in the order in which they were signed. */
  async #sign({ port, hotkey }: { port: number; hotkey: string }): Promise<PreparedRequest> {
    const at = this.#sent++;
    const key = this.#keys[at % this.#keys.length] as Signer;
    const fields = { prompt: `What is ${at} and ${at}?`, said: '' };
    const signed = {
      ...{ timeout: TIMEOUT_S, hotkey: key.address, uuid: `load-${at}`, nonce: BigInt(Date.now()) * NS },
      bodyHash: this.#type.hash(fields),
    };
    const signature = await key.sign(Buffer.from(signedText(signed, hotkey)));
    const axon = { ip: '127.0.0.1', port, hotkey };
    const body = JSON.stringify(fields);
    const head = requestHeaders(this.#type, { ...signed, signature }, { axon, ip: '0.0.0.0', bodyBytes: body.length });
    return { method: 'POST', path: '/Echo', headers: { 'content-type': 'application/json', ...head }, body };
  }
}
