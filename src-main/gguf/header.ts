import { say } from '../../src-preload/contract/saying.ts';
import { ByteCursor, type GgufSource } from './byte-cursor.ts';
import { GgufError } from './gguf-error.ts';
import { LEAST_ENTRY_BYTES, type Metadata, readMetadata } from './metadata.ts';
import { aligned, LEAST_TENSOR_BYTES, readTensors, type TensorInfo } from './tensors.ts';

/** What a GGUF file says of itself before its weights begin. */
export interface GgufHeader {
  version: number;
  metadata: Metadata;
  /** Keys of the metadata whose value is a number of 32 bits with a point. */
  floats: ReadonlySet<string>;
  tensors: readonly TensorInfo[];
  /** Where the tensors’ data begins in the file. */
  dataOffset: number;
  /** Length of the file. */
  bytes: number;
}

const MAGIC = 'GGUF';
const VERSIONS = [2, 3];
/** Far above any real model (DeepSeek-V3 has 2,000 tensors and 60 keys). */
const MOST_TENSORS = 65_536;
const MOST_KEYS = 4_096;
const DEFAULT_ALIGNMENT = 32;
/** 1, 2, 4 … 1 MiB. Real files have 32; a larger one only wastes room. */
const ALIGNMENTS = Array.from({ length: 21 }, (_, exponent) => 2 ** exponent);

/**
 * Reads the header of an untrusted file: GGUF 2 and 3, little endian
 * (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). Needs a few megabytes of memory at most, whatever the file
 * claims, and reads no weights.
 * @throws GgufError when the file cannot be one that llama.cpp loads
 */
export async function readGgufHeader(source: GgufSource): Promise<GgufHeader> {
  const cursor = new ByteCursor(source);
  const version = await readVersion(cursor);
  const tensorCount = await cursor.uint64();
  const keyCount = await cursor.uint64();
  checkCounts(tensorCount, keyCount, cursor.left);
  const { metadata, floats } = await readMetadata(cursor, keyCount);
  const alignment = alignmentOf(metadata);
  const tensors = await readTensors(cursor, tensorCount, alignment);
  const dataOffset = aligned(cursor.position, alignment);
  checkEnd(tensors, dataOffset, source.size);
  return { version, metadata, floats, tensors, dataOffset, bytes: source.size };
}

async function readVersion(cursor: ByteCursor): Promise<number> {
  if (cursor.left < 4 || (await cursor.bytes(4)).toString('latin1') !== MAGIC) {
    throw new GgufError(say('gguf.otherFile'));
  }
  const version = await cursor.uint32();
  if (!VERSIONS.includes(version)) throw new GgufError(say('gguf.version', { version: String(version) }));
  return version;
}

function checkCounts(tensors: number, keys: number, left: number): void {
  if (tensors > MOST_TENSORS || keys > MOST_KEYS) throw new GgufError(say('gguf.claims', { tensors, keys }));
  if (tensors * LEAST_TENSOR_BYTES + keys * LEAST_ENTRY_BYTES > left) {
    throw new GgufError(say('gguf.claimsTooMuch', { tensors, keys }));
  }
  if (tensors === 0) throw new GgufError(say('gguf.noTensors'));
}

function alignmentOf(metadata: Metadata): number {
  const alignment = metadata.get('general.alignment') ?? DEFAULT_ALIGNMENT;
  if (typeof alignment === 'number' && ALIGNMENTS.includes(alignment)) return alignment;
  throw new GgufError(say('gguf.alignment'));
}

function checkEnd(tensors: readonly TensorInfo[], dataOffset: number, size: number): void {
  const last = tensors.at(-1);
  const end = dataOffset + (last ? last.offset + last.bytes : 0);
  if (end > size) throw new GgufError(say('gguf.incomplete', { size, end }));
}
