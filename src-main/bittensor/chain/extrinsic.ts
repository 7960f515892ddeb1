import type { GenericExtrinsic } from '@polkadot/types';
import { blake2AsU8a } from '@polkadot/util-crypto/blake2/asU8a';
import { hexOf } from '../hex.ts';
import type { Signer } from '../signer.ts';
import type { Runtime } from './runtime.ts';
import { compact, littleEndian } from './scale.ts';
import { nonsense } from './shapes.ts';

/** A call with a signature around it, as a block has it. */
export interface SignedCall {
  /** `0x…`, as it is handed in. */
  bytes: `0x${string}`;
  /** The last block that may have it in. */
  lastBlock: number;
}

/** What a signature is good for. */
export interface SignatureTerms {
  /** First block's hash: the signature counts on this chain only. */
  genesis: string;
  /** Which call of this account it is. */
  nonce: number;
  /** A block that nothing can undo: the signature counts for {@link MORTAL_BLOCKS} from about there. */
  since: { number: number; hash: string };
}

/** A quarter of an hour: what was not taken in by then never will be. */
export const MORTAL_BLOCKS = 64;
/** The form of extrinsics that every runtime takes, whatever else its metadata offers. */
const VERSION = 4;
/** Longer messages are signed by their hash. */
const MOST_SIGNED = 256;
const NO_TIP = compact(0);
/** Nobody wants to know of which metadata a call was made: the mode before the other terms, and the hash behind them. */
const NO_METADATA_HASH = Uint8Array.of(0);
/** In front of a signature: it is sr25519. */
const SR25519 = Uint8Array.of(1);

/**
 * Signs a call for the runtime; tips nobody.
 * @throws PROTOCOL when the metadata would have something else signed
 */
export async function signedCall(
  runtime: Runtime,
  call: string,
  signer: Signer,
  { genesis, nonce, since }: SignatureTerms,
): Promise<SignedCall> {
  const era = runtime.registry.createType('ExtrinsicEra', { current: since.number, period: MORTAL_BLOCKS });
  const terms = { ...plainTerms(runtime, genesis), blockHash: since.hash, era: era.toHex(), method: call, nonce };
  const payload = runtime.registry.createTypeUnsafe('ExtrinsicPayload', [terms, { version: VERSION }]);
  const message = payload.toU8a({ method: true } as never);
  const known = signedBytes(call, era.toU8a(), runtime, { genesis, nonce, since });
  if (!known.some((bytes) => bytes.equals(message))) throw nonsense('metadata with other terms around a call');
  const signature = await signer.sign(message.length > MOST_SIGNED ? blake2AsU8a(message) : message);
  const extrinsic = unsigned(runtime, call);
  extrinsic.addSignature(signer.address, hexOf(Buffer.concat([SR25519, signature])), terms as never);
  return { bytes: extrinsic.toHex(), lastBlock: era.asMortalEra.death(since.number) };
}

/**
 * What this chain has always had signed with a call (Bittensor §3), with CheckMetadataHash and, before there was such a thing, without.
 * Metadata that has the terms in another order would make a nonce that the endpoint names a tip.
 */
function signedBytes(call: string, era: Uint8Array, { version }: Runtime, terms: SignatureTerms): Buffer[] {
  const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex');
  const versions = [littleEndian(version.specVersion, 4), littleEndian(version.transactionVersion, 4)];
  const own = [era, compact(terms.nonce), NO_TIP];
  const common = [...versions, bytesOf(terms.genesis), bytesOf(terms.since.hash)];
  return [
    Buffer.concat([bytesOf(call), ...own, NO_METADATA_HASH, ...common, NO_METADATA_HASH]),
    Buffer.concat([bytesOf(call), ...own, ...common]),
  ];
}

/** The same with a signature of nobody: what it would cost is asked with it. polkadot.js takes zeros for none, which costs nothing. */
export function callSignedByNobody(runtime: Runtime, call: string, address: string, genesis: string): `0x${string}` {
  const extrinsic = unsigned(runtime, call);
  const era = runtime.registry.createType('ExtrinsicEra', { current: 1, period: MORTAL_BLOCKS });
  const terms = { ...plainTerms(runtime, genesis), blockHash: genesis, era: era.toHex(), method: call, nonce: 0 };
  extrinsic.addSignature(address, hexOf(Buffer.concat([SR25519, Buffer.alloc(64, 0x42)])), terms as never);
  return extrinsic.toHex();
}

/** What an extrinsic is called. */
export function extrinsicHash(bytes: string): `0x${string}` {
  return hexOf(blake2AsU8a(Buffer.from(bytes.slice(2), 'hex'), 256));
}

function plainTerms({ version }: Runtime, genesisHash: string) {
  return { ...version, genesisHash, tip: 0, mode: 0, metadataHash: null };
}

function unsigned(runtime: Runtime, call: string): GenericExtrinsic {
  const method = runtime.registry.createTypeUnsafe('Call', [call]);
  return runtime.registry.createTypeUnsafe('Extrinsic', [method, { version: VERSION }]) as unknown as GenericExtrinsic;
}
