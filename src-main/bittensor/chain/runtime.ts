import { expandMetadata, Metadata, StorageKey, TypeRegistry } from '@polkadot/types';
import type { Codec } from '@polkadot/types/types';
import { ignoring } from '../../base/swallowed.ts';
import { hexOf } from '../hex.ts';
import type { RpcSocket } from './rpc-socket.ts';
import { bytes, nonsense, shaped } from './shapes.ts';

/** Which runtime a chain is at. */
export interface RuntimeVersion {
  specVersion: number;
  transactionVersion: number;
}

/** Where something is stored, and how what is stored there is read. */
export interface Slot {
  /** `0x…` */
  key: string;
  /** @param value `0x…`; null where nothing is stored, which is the item's default, or null for an item without one */
  read(value: string | null): unknown;
}

/** A function of the runtime, ready to be asked for by `state_call`. */
export interface ApiCall {
  /** As `SwapRuntimeApi_current_alpha_price`. */
  name: string;
  /** Its arguments, `0x…`. */
  data: string;
  read(answer: string): unknown;
}

/** Something that happened in a block. */
export interface ChainEvent {
  /** Place of the extrinsic in its block; undefined for what the chain did by itself. */
  extrinsic: number | undefined;
  /** As `subtensorModule`. */
  pallet: string;
  /** As `NeuronRegistered`. */
  name: string;
  /** What it says, in order, as JSON: addresses as ss58, large numbers as `0x…`. Hold it to a shape. */
  data: unknown[];
}

/**
 * What a chain can do, as its own metadata says: pallets, storage and arguments differ between runtimes. Names are in camelCase, as
 * polkadot.js has them. Whatever a node's metadata or bytes make of this: PROTOCOL.
 */
export class Runtime {
  readonly version: RuntimeVersion;
  readonly registry = new TypeRegistry();
  readonly #expanded: ReturnType<typeof expandMetadata>;
  readonly #metadata: Metadata;

  /**
   * @param metadata `0x…`, of version 14, 15 or 16
   * @throws PROTOCOL for what is no metadata
   */
  constructor(metadata: `0x${string}`, version: RuntimeVersion) {
    this.version = version;
    try {
      this.#metadata = new Metadata(this.registry, metadata);
      // What follows writes to the console about metadata that describes nothing.
      const { pallets } = this.#metadata.asLatest;
      if (!pallets.some(({ name }) => name.toString() === 'System')) throw new Error('metadata of no chain');
      // polkadot.js has u128. Subtensor's own types say what they are, but not where metadata of version 14 leaves it open.
      this.registry.register({ Balance: 'u64' });
      // Extensions that polkadot.js does not know carry nothing (Bittensor §3): a warning for each would go to the console.
      this.registry.setMetadata(this.#metadata, undefined, undefined, true);
      this.#expanded = expandMetadata(this.registry, this.#metadata);
    } catch (error) {
      throw nonsense(error);
    }
  }

  /** A call as its metadata describes it; undefined where the runtime lacks it. */
  call(pallet: string, name: string) {
    return this.#expanded.tx[pallet]?.[name];
  }

  /** Whether something of that name can happen in a block. */
  hasEvent(pallet: string, name: string): boolean {
    return this.#expanded.events[pallet]?.[name] !== undefined;
  }

  /** @returns undefined where the runtime lacks it, or keeps it by another number of things */
  slot(pallet: string, item: string, ...args: unknown[]): Slot | undefined {
    const entry = this.#expanded.query[pallet]?.[item];
    const keptBy = entry?.meta.type.isMap ? entry.meta.type.asMap.hashers.length : 0;
    if (!entry || keptBy !== args.length) return undefined;
    return this.#trying(() => {
      const key = new StorageKey(this.registry, [entry, args]);
      const { fallback, modifier } = entry.meta;
      const read = (value: string | null) => {
        const stored = value ?? (modifier.isOptional ? null : fallback.toHex());
        return stored === null ? null : this.#decoded(key.outputType, stored);
      };
      return { key: key.toHex(), read };
    });
  }

  /** What the keys of an item begin with, `0x…`, that are kept by this first, and by more. @returns undefined where the runtime lacks it */
  keysOf(pallet: string, item: string, first: unknown): string | undefined {
    const entry = this.#expanded.query[pallet]?.[item];
    return entry?.meta.type.isMap ? this.#trying(() => hexOf(entry.keyPrefix(first))) : undefined;
  }

  /**
   * @param trait as `SwapRuntimeApi`
   * @param method as `current_alpha_price`
   * @returns undefined where the runtime lacks it, or wants another number of arguments
   */
  api(trait: string, method: string, ...args: unknown[]): ApiCall | undefined {
    const found = this.#method(trait, method);
    if (found?.inputs.length !== args.length) return undefined;
    return this.#trying(() => {
      const inputs = found.inputs.map(({ type }, at) => this.#encoded(this.registry.createLookupType(type), args[at]));
      const output = this.registry.createLookupType(found.output);
      // Before metadata 15 meant it, runtimes gave bytes and did not say of what: as good as no such function.
      if (this.registry.createTypeUnsafe(output, []).toRawType() === 'Bytes') return undefined;
      const data = hexOf(Buffer.concat(inputs));
      return { name: `${trait}_${method}`, data, read: (answer: string) => this.#decoded(output, answer) };
    });
  }

  /** What happened in a block, from what is stored of it in `System.Events`. */
  events(stored: string): ChainEvent[] {
    return this.#trying(() => {
      boundEvents(Buffer.from(stored.slice(2), 'hex'));
      const records = this.registry.createTypeUnsafe<Codec & Iterable<EventRecord>>('Vec<EventRecord>', [stored]);
      return [...records].map(({ phase, event }) => ({
        extrinsic: phase.isApplyExtrinsic ? phase.asApplyExtrinsic.toNumber() : undefined,
        pallet: event.section,
        name: event.method,
        data: event.data.map((one) => one.toJSON()),
      }));
    });
  }

  /** The name of an error of a pallet, as `SettingWeightsTooFast`; undefined for one that the metadata does not know. */
  errorName(pallet: number, error: number): string | undefined {
    try {
      return this.registry.findMetaError(Uint8Array.of(pallet, error)).name;
    } catch {
      return undefined; // no such pallet, or no such error in it
    }
  }

  /**
   * What a function of the runtime answered, as plain values.
   * @param type as polkadot.js names it, for metadata of version 14, which does not tell
   */
  answer(trait: string, method: string, type: string, answer: string): unknown {
    const output = this.#method(trait, method)?.output;
    return this.#decoded(output ? this.registry.createLookupType(output) : type, answer);
  }

  #method(trait: string, method: string) {
    const found = this.#metadata.asLatest.apis.find(({ name }) => name.toString() === trait);
    return found?.methods.find(({ name }) => name.toString() === method);
  }

  #decoded(type: string, value: string): unknown {
    return this.#trying(() => {
      const encoded = Buffer.from(value.slice(2), 'hex');
      const codec = this.registry.createTypeUnsafe(type, [encoded]);
      // polkadot.js takes what is missing for zeros: half an answer would be an empty account.
      if (codec.encodedLength !== encoded.length) throw new Error(`${type} in ${encoded.length} bytes`);
      return codec.toJSON();
    });
  }

  #encoded(type: string, value: unknown): Uint8Array {
    return this.registry.createTypeUnsafe(type, [value]).toU8a();
  }

  #trying<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw nonsense(error);
    }
  }
}

/** Every record takes the main thread a while. Blocks have some hundreds. */
const MOST_EVENTS = 10_000;
const MOST_EVENT_BYTES = 512 * 1_024;

/** @throws for more than any block has, before they are read: their number comes first, as a compact number of 1, 2, 4 or more bytes */
function boundEvents(records: Buffer): void {
  const kind = (records[0] ?? 0) & 0b11;
  const first = records.subarray(0, kind === 3 ? 0 : 1 << kind);
  const count = kind === 3 ? Number.POSITIVE_INFINITY : first.readUIntLE(0, first.length || 1) >>> 2;
  if (records.length > MOST_EVENT_BYTES || count > MOST_EVENTS) {
    throw new Error(`${count} events in ${records.length} bytes`);
  }
}

/** The newest form of metadata that the node has and we read: from 15 on it tells of the runtime's functions. */
export async function metadataOf(rpc: Pick<RpcSocket, 'request'>, block?: string): Promise<`0x${string}`> {
  const at = block === undefined ? [] : [block];
  for (const version of ['10', '0f']) {
    const call = ['Metadata_metadata_at_version', `0x${version}000000`, ...at];
    // Runtimes before 150 or so have no such function: a refusal.
    const answer = await rpc.request('state_call', call).catch(ignoring('asked for in another form'));
    const metadata = answer === undefined ? undefined : inOption(shaped(bytes, answer));
    if (metadata) return metadata;
  }
  return shaped(bytes, await rpc.request('state_getMetadata', at)) as `0x${string}`;
}

/** Out of a SCALE `Option<Vec<u8>>`. */
function inOption(answer: string): `0x${string}` | undefined {
  const encoded = Buffer.from(answer.slice(2), 'hex');
  if (encoded[0] !== 1) return undefined;
  // How long it is comes first, as a compact number of 1, 2, 4 or more bytes; the metadata begins with the letters «meta».
  const begin = encoded.subarray(0, 12).indexOf('meta');
  return begin < 0 ? undefined : hexOf(encoded.subarray(begin));
}

/** What is used of polkadot.js's own type. */
interface EventRecord {
  phase: { isApplyExtrinsic: boolean; asApplyExtrinsic: { toNumber(): number } };
  event: { section: string; method: string; data: Codec[] };
}
