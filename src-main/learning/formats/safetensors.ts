import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { say } from '../../../src-preload/contract/saying.ts';
import { jsonExcess } from '../../base/json-shape.ts';
import { parsedJson } from '../../base/json-text.ts';
import { openRegular } from '../../base/regular-file.ts';
import { quoted } from '../../gguf/gguf-error.ts';
import { invalidAdapter, unsupportedAdapter } from './adapter-error.ts';
import { isValueType, MOST_HEADER_BYTES, MOST_VALUES, readValues, VALUE_BYTES, type ValueType } from './file-values.ts';

/** A tensor in memory, row by row. */
export interface NamedTensor {
  name: string;
  shape: readonly number[];
  values: Float32Array;
}

/** What a file says of a tensor before its numbers. */
export interface TensorEntry {
  name: string;
  type: ValueType;
  shape: readonly number[];
  count: number;
  /** Its place in the file. */
  offset: number;
}

export interface SafetensorsFile {
  tensors: Map<string, NamedTensor>;
  /** Texts by their keys. */
  metadata: Record<string, string>;
}

const MOST_DIMENSIONS = 4;
const METADATA = '__metadata__';

const whole = z.int().min(0);
const entrySchema = z.object({
  dtype: z.string().max(16),
  shape: z.array(whole).max(MOST_DIMENSIONS),
  data_offsets: z.tuple([whole, whole]),
});
const metadataSchema = z.record(z.string(), z.string());
const headerSchema = z.record(z.string().min(1).max(512), z.unknown());

/**
 * Writes a safetensors file (https://huggingface.co/docs/safetensors) of F32 tensors in the order given.
 * @param path not there yet
 * @param metadata beside `format: pt`, which Hugging Face's programs want
 */
export async function writeSafetensors(
  path: string,
  tensors: readonly NamedTensor[],
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  const entries: Record<string, unknown> = { [METADATA]: { format: 'pt', ...metadata } };
  let end = 0;
  for (const { name, shape, values } of tensors) {
    const begin = end;
    end += values.byteLength;
    entries[name] = { dtype: 'F32', shape, data_offsets: [begin, end] };
  }
  const json = Buffer.from(JSON.stringify(entries));
  // Padded with spaces, so that the numbers begin at a multiple of eight.
  const header = Buffer.alloc(8 + Math.ceil(json.length / 8) * 8, ' ');
  header.writeBigUInt64LE(BigInt(header.length - 8));
  json.copy(header, 8);
  const file = await open(path, 'wx');
  try {
    await file.writeFile(header);
    for (const { values } of tensors) {
      await file.writeFile(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Reads an untrusted file of F32, F16 and BF16 tensors.
 * @param check throws where the file is not wanted, before any numbers are read
 * @throws ADAPTER_INVALID when it is damaged, a number is not finite, or there are more than {@link MOST_VALUES}; UNSUPPORTED for other types
 */
export async function readSafetensors(
  path: string,
  check: (entries: readonly TensorEntry[]) => void = () => {},
): Promise<SafetensorsFile> {
  const file = await openRegular(path);
  if (!file) throw damaged();
  try {
    const { entries, metadata } = await readHeader(file);
    check(entries);
    const tensors = new Map<string, NamedTensor>();
    for (const { name, shape, ...place } of entries) {
      tensors.set(name, { name, shape, values: await readValues(file, { name, ...place }) });
    }
    return { tensors, metadata };
  } finally {
    await file.close();
  }
}

async function readHeader(file: FileHandle): Promise<{ entries: TensorEntry[]; metadata: Record<string, string> }> {
  const { size } = await file.stat();
  const start = Buffer.alloc(8);
  const { bytesRead } = await file.read(start, 0, 8, 0);
  const length = bytesRead === 8 ? start.readBigUInt64LE() : 0n;
  if (length < 2n || length > BigInt(Math.min(MOST_HEADER_BYTES, size - 8))) throw damaged();
  const bytes = Buffer.alloc(Number(length));
  const read = await file.read(bytes, 0, bytes.length, 8);
  if (read.bytesRead < bytes.length || jsonExcess(bytes, MOST_DIMENSIONS)) throw damaged();
  const parsed = headerSchema.safeParse(parsedJson(bytes.toString('utf8')));
  if (!parsed.success) throw damaged();
  const { [METADATA]: texts = {}, ...tensors } = parsed.data;
  const metadata = metadataSchema.safeParse(texts);
  if (!metadata.success) throw damaged();
  return { entries: placed(tensors, 8 + bytes.length, size), metadata: metadata.data };
}

/** As the reference reader wants it: tensors lie one behind the other from the start of the data to the end of the file. */
function placed(tensors: Record<string, unknown>, start: number, size: number): TensorEntry[] {
  const entries = Object.entries(tensors).map(([name, value]) => entryOf(name, value, start));
  entries.sort((one, other) => one.offset - other.offset || one.count - other.count);
  let end = start;
  let values = 0;
  for (const { name, offset, count, type } of entries) {
    if (offset !== end) throw invalidAdapter(say('adapters.tensorPlace', { name: quoted(name) }));
    end += count * VALUE_BYTES[type];
    values += count;
    if (values > MOST_VALUES) throw invalidAdapter(say('adapters.huge', { most: MOST_VALUES }));
  }
  if (end !== size) throw damaged();
  return entries;
}

function entryOf(name: string, value: unknown, start: number): TensorEntry {
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) throw damaged();
  const { dtype: type, shape, data_offsets } = parsed.data;
  if (!isValueType(type))
    throw unsupportedAdapter(say('adapters.valueType', { name: quoted(name), type: quoted(type) }));
  const [begin, end] = data_offsets;
  const count = shape.reduce((product, length) => product * length, 1);
  if (!Number.isSafeInteger(count) || end - begin !== count * VALUE_BYTES[type]) {
    throw invalidAdapter(say('adapters.tensorSize', { name: quoted(name) }));
  }
  return { name, type, shape, count, offset: start + begin };
}

const damaged = () => invalidAdapter(say('adapters.noSafetensors'));
