import type { IncomingHttpHeaders } from 'node:http';
import { addressPlace } from '../../base/network-prefix.ts';
import { BucketMap } from '../../base/token-bucket.ts';
import { notVerified, type RequestHead, readHead, signedText } from '../synapse/headers.ts';
import type { SynapseType } from '../synapse/synapse.ts';
import type { NonceTable } from './nonces.ts';
import { Refusal } from './refusal.ts';
import type { SignatureCheck } from './signature.ts';

/** What the subnet's metagraph says of a hotkey that is registered there. */
export interface Neuron {
  /** Rao. */
  stake: bigint;
  /** Whether it may set weights as a validator. */
  permit: boolean;
}

/** Who asks, proven by a signature. */
export interface Caller {
  /** ss58. */
  hotkey: string;
  /** Of its dendrite. */
  uuid: string;
  /** Where the request comes from. */
  address: string;
  /** Undefined where the metagraph does not know the hotkey. */
  neuron: Neuron | undefined;
}

/** Whom an axon answers. Default: whoever signs. */
export interface CallerRules {
  /** Of a registered hotkey. Asked for every request: it should know, not look it up. @throws Refusal where nobody can know now */
  metagraph?: (hotkey: string) => Neuron | undefined;
  /** Only who is registered. Default false. */
  needsNeuron?: boolean;
  /** Least stake, in rao; more than 0 is of the registered only. Default 0. */
  leastStake?: bigint;
  /** Only validators with a permit. Default false. */
  needsPermit?: boolean;
}

export interface GateLimits {
  /** Requests a second of one network address (/48 of IPv6), and how many at once, whether or not they are signed. Default 50 and 200. */
  perAddress: { perSecond: number; burst: number };
  /** Requests a second of one hotkey, and how many at once. Default 20 and 100. */
  perHotkey: { perSecond: number; burst: number };
  /** Longest time that counts of what a caller says it waits, in seconds. Default 60. */
  timeout: number;
}

export const DEFAULT_GATE_LIMITS: GateLimits = {
  perAddress: { perSecond: 50, burst: 200 },
  perHotkey: { perSecond: 20, burst: 100 },
  timeout: 60,
};

/** The SDK's own: a nonce may be older than the caller's timeout by this, for the way and for clocks. Here, as much younger too. */
const CLOCK_MS = 4_000;
const NS = 1_000_000n;
/** Addresses, and hotkeys, whose rate is remembered. */
const BUCKETS = 16_384;

export interface GateOptions {
  /** The axon's own hotkey (ss58). */
  hotkey: string;
  rules: CallerRules;
  limits: GateLimits;
  nonces: NonceTable;
  signatures: SignatureCheck;
  /** Unix milliseconds. */
  now: () => number;
}

/**
 * Whom an axon lets in, by the headers alone, before a byte of the body is read. From the cheapest check to the dearest: address,
 * forms, rules, age, signature, nonce, hotkey. What comes before the signature costs the same small time for all, and counts for nobody
 * else: of a hotkey that is only claimed nothing is remembered.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #addresses = new BucketMap(BUCKETS);
  readonly #hotkeys = new BucketMap(BUCKETS);

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** @throws Refusal 429 */
  countAddress(address: string): void {
    const { perSecond, burst } = this.#options.limits.perAddress;
    const now = this.#options.now();
    if (!this.#addresses.get(addressPlace(address), perSecond, burst, now)?.take(1, now)) {
      throw new Refusal(429, 'Too many requests from this address.');
    }
  }

  /** @throws Refusal 400 or 401 for headers that cannot be read */
  read(headers: IncomingHttpHeaders, type: SynapseType): RequestHead {
    const head = readHead(headers, type);
    if ('status' in head) throw new Refusal(head.status, head.message);
    return head;
  }

  /** @throws Refusal 403, 401, 429 */
  async admit(head: RequestHead, address: string): Promise<Caller> {
    const { hotkey, uuid, nonce } = head;
    const { nonces, rules, now } = this.#options;
    const caller = { hotkey, uuid, address, neuron: rules.metagraph?.(hotkey) };
    this.#refuseByRules(caller);
    this.#refuseByAge(head);
    if (nonces.isUsed(hotkey, uuid, nonce)) throw usedNonce();
    this.#refuseBySignature(head);
    if (!(await nonces.take(hotkey, uuid, nonce, now()))) throw usedNonce();
    this.#countHotkey(hotkey);
    return caller;
  }

  #refuseByRules({ neuron }: Caller): void {
    const { needsNeuron = false, leastStake = 0n, needsPermit = false } = this.#options.rules;
    if (!neuron && (needsNeuron || leastStake > 0n || needsPermit)) throw blacklisted('Unrecognized hotkey');
    if (neuron && neuron.stake < leastStake) throw blacklisted('Not enough stake');
    if (neuron && needsPermit && !neuron.permit) throw blacklisted('No validator permit');
  }

  #refuseByAge({ nonce, timeout }: RequestHead): void {
    const { limits, now } = this.#options;
    const allowedMs = CLOCK_MS + Math.min(timeout, limits.timeout) * 1_000;
    const ageMs = now() - Number(nonce / NS);
    if (ageMs >= allowedMs) {
      const [allowed, age] = [allowedMs, ageMs].map((ms) => (ms / 1_000).toFixed(2));
      throw notVerifiedBecause(
        `Nonce is too old: acceptable delta is ${allowed} seconds but request was ${age} seconds old`,
      );
    }
    if (ageMs < -CLOCK_MS) throw notVerifiedBecause('Nonce is in the future: set the clock of your computer');
  }

  #refuseBySignature(head: RequestHead): void {
    const { signatures, hotkey } = this.#options;
    if (!signatures.isRight(signedText(head, hotkey), head.signature, head.hotkey)) {
      throw notVerifiedBecause('Signature mismatch');
    }
  }

  #countHotkey(hotkey: string): void {
    const { perSecond, burst } = this.#options.limits.perHotkey;
    const now = this.#options.now();
    if (!this.#hotkeys.get(hotkey, perSecond, burst, now)?.take(1, now)) {
      throw new Refusal(429, 'Too many requests of this hotkey.');
    }
  }
}

/** 401, as the SDK words it. */
function notVerifiedBecause(reason: string): Refusal {
  return new Refusal(401, notVerified(reason));
}

function blacklisted(reason: string): Refusal {
  return new Refusal(403, `Forbidden. Key is blacklisted: ${reason}.`);
}

function usedNonce(): Refusal {
  return notVerifiedBecause('Nonce is too old, a newer one was last processed');
}
