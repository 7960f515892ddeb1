import { randomBytes } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Output,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';

export interface StreamOptions {
  seconds: number;
  sound?: boolean;
  channels?: number;
  sampleRate?: number;
  codec?: 'vp9' | 'vp8';
  width?: number;
  height?: number;
  /** Pictures a second. */
  rate?: number;
  /** Seconds from one key frame to the next. */
  keyEvery?: number;
}

export interface Packet {
  kind: 'video' | 'audio';
  isKey: boolean;
  atMs: number;
  data: Buffer;
}

/** The fifth byte of VP9 says which colours: mediabunny writes there what the first of the track says. */
const KEY = { vp9: [0x82, 0x49, 0x83, 0x42, 0x40], vp8: [0x10, 0, 0, 0x9d, 0x01, 0x2a] };
const DELTA = { vp9: [0x86, 0, 0, 0, 0], vp8: [0x11, 0, 0, 0, 0, 0] };

/**
 * A stream as a browser’s recorder makes it: no duration, no cues, segment and clusters of unknown size. Its packets begin as those of the codec do; the rest
 * is random, so that each can be found again in other files.
 */
export async function recordedStream(options: StreamOptions): Promise<{ bytes: Buffer; packets: Packet[] }> {
  const packets = packetsOf(options);
  return { bytes: await streamOf(packets, options), packets };
}

/** A stream of packets that are there already. */
export async function streamOf(packets: readonly Packet[], options: Omit<StreamOptions, 'seconds'>): Promise<Buffer> {
  const { sound = false, codec = 'vp9', width = 320, height = 180, channels = 2, sampleRate = 48_000 } = options;
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat({ appendOnly: true }), target });
  const video = new EncodedVideoPacketSource(codec);
  const description = opusHead(channels, sampleRate);
  const config = { codec: codec === 'vp9' ? 'vp09.00.10.08' : 'vp8', codedWidth: width, codedHeight: height };
  output.addVideoTrack(video, { decoderConfig: config });
  const audio = sound ? new EncodedAudioPacketSource('opus') : undefined;
  if (audio)
    output.addAudioTrack(audio, {
      decoderConfig: { codec: 'opus', numberOfChannels: channels, sampleRate, description },
    });
  await output.start();
  for (const { kind, isKey, atMs, data } of packets) {
    const packet = new EncodedPacket(data, isKey ? 'key' : 'delta', atMs / 1_000, 0);
    await (kind === 'video' ? video : audio)?.add(packet);
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer());
}

/** Writes one. @returns its packets */
export async function writeStream(path: string, options: StreamOptions): Promise<Packet[]> {
  const { bytes, packets } = await recordedStream(options);
  await writeFile(path, bytes);
  return packets;
}

/** Files as parts of a recording, each with all that is in it. */
export async function wholeParts(paths: readonly string[]): Promise<{ path: string; bytes: number }[]> {
  return await Promise.all(paths.map(async (path) => ({ path, bytes: (await stat(path)).size })));
}

/** Everything that is in a file, WebM or MP4, as mediabunny reads it. */
export async function readWebm(bytes: Uint8Array) {
  using input = new Input({ source: new BufferSource(bytes), formats: [WEBM, MP4] });
  const read = async (kind: Packet['kind']) => {
    const track = kind === 'video' ? await input.getPrimaryVideoTrack() : await input.getPrimaryAudioTrack();
    if (!track) return null;
    const packets: Packet[] = [];
    for await (const { timestamp, type, data } of new EncodedPacketSink(track).packets())
      packets.push({ kind, isKey: type === 'key', atMs: Math.round(timestamp * 1_000), data: Buffer.from(data) });
    return packets;
  };
  const durationMs = Math.round(((await input.getDurationFromMetadata()) ?? 0) * 1_000);
  const [tags, format] = [await input.getMetadataTags(), (await input.getFormat()).name];
  return { video: await read('video'), audio: await read('audio'), durationMs, tags, format };
}

function packetsOf({ seconds, sound, codec = 'vp9', rate = 10, keyEvery = 2 }: StreamOptions): Packet[] {
  const pictures = Array.from({ length: seconds * rate }, (_, index): Packet => {
    const isKey = index % (rate * keyEvery) === 0;
    const data = Buffer.from([...(isKey ? KEY : DELTA)[codec], ...randomBytes(60)]);
    return { kind: 'video', isKey, atMs: Math.round((index * 1_000) / rate), data };
  });
  return [...pictures, ...(sound ? soundPackets(seconds) : [])].sort((a, b) => a.atMs - b.atMs);
}

/** Random ones, of 20 ms. */
export function soundPackets(seconds: number): Packet[] {
  return Array.from({ length: seconds * 50 }, (_, index): Packet => {
    return { kind: 'audio', isKey: true, atMs: index * 20, data: Buffer.from([0xfc, ...randomBytes(40)]) };
  });
}

function opusHead(channels: number, sampleRate: number): Uint8Array {
  const head = Buffer.from('OpusHead\x01\x02\0\0\0\0\0\0\0\0\0', 'latin1');
  head[9] = channels;
  head.writeUInt32LE(sampleRate, 12);
  return head;
}
