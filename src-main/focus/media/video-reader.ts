import { type FileHandle, open } from 'node:fs/promises';
import {
  CustomSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MP4,
  WEBM,
} from 'mediabunny';
import type { Container } from '../../../src-preload/contract/focus.ts';
import { endOfWhole } from './webm-end.ts';

type Codec<Track extends InputVideoTrack | InputAudioTrack> = {
  codec: NonNullable<Awaited<ReturnType<Track['getCodec']>>>;
  config: NonNullable<Awaited<ReturnType<Track['getDecoderConfig']>>>;
};

/** What the tracks of a file are. */
export interface Shape {
  video: Codec<InputVideoTrack>;
  audio: Codec<InputAudioTrack> | null;
}

/** Of a last packet nobody knows how long it is shown: as long as the one before it, but no longer than this. */
const LONGEST_LAST_MS = 1_000;
const SHORTEST_MS = 1;
const HALF_MS = 0.5;
/** Key frames are looked at, not taken from what the file says of them. */
const VERIFIED = { verifyKeyPackets: true };

export interface ReadOptions {
  /** Default: WebM. */
  container?: Container;
  /** So many bytes of the file count, and nothing that was put behind them. Default: all. */
  most?: number;
}

/** A packet with its place in the file, in whole milliseconds: WebM has no finer ones. */
export interface TimedPacket {
  kind: 'video' | 'audio';
  packet: EncodedPacket;
  atMs: number;
  /** Where the next of its track begins. */
  endMs: number;
}

/** A WebM or MP4 file, or a WebM stream without an end, as far as it is whole. To be disposed of. */
export class VideoReader {
  readonly #file: FileHandle;
  readonly #input: Input;
  readonly bytes: number;
  readonly video: InputVideoTrack | null;
  readonly audio: InputAudioTrack | null;

  private constructor(
    file: FileHandle,
    input: Input,
    bytes: number,
    video: VideoReader['video'],
    audio: VideoReader['audio'],
  ) {
    this.#file = file;
    this.#input = input;
    this.bytes = bytes;
    this.video = video;
    this.audio = audio;
  }

  /** @throws what the system or mediabunny says of a file that cannot be read */
  static async open(
    path: string,
    { container = 'webm', most = Number.POSITIVE_INFINITY }: ReadOptions = {},
  ): Promise<VideoReader> {
    const file = await open(path, 'r');
    try {
      const bytes = container === 'webm' ? await endOfWhole(file, most) : Math.min((await file.stat()).size, most);
      const source = new CustomSource({
        getSize: () => bytes,
        read: (start, end) => readExactly(file, start, end),
        prefetchProfile: 'fileSystem',
      });
      const input = new Input({ source, formats: [container === 'webm' ? WEBM : MP4] });
      const isEmpty = bytes === 0 || !(await input.canRead());
      const video = isEmpty ? null : await input.getPrimaryVideoTrack();
      const audio = isEmpty ? null : await input.getPrimaryAudioTrack();
      return new VideoReader(file, input, bytes, video, audio);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Null where there is not one picture. */
  async shape(): Promise<Shape | null> {
    const [codec, config] = [await this.video?.getCodec(), await this.video?.getDecoderConfig()];
    if (!codec || !config || !(await this.keyFrameFrom(0))) return null;
    const [audioCodec, audioConfig] = [await this.audio?.getCodec(), await this.audio?.getDecoderConfig()];
    const audio = audioCodec && audioConfig ? { codec: audioCodec, config: audioConfig } : null;
    return { video: { codec, config }, audio };
  }

  /** What the file says it has, milliseconds; null where it does not. */
  async durationMs(): Promise<number | null> {
    const seconds = await this.#input.getDurationFromMetadata();
    return seconds === null ? null : Math.round(seconds * 1_000);
  }

  /** The first key frame that does not begin before so many milliseconds: looked at, not taken from what the file says of it. */
  async keyFrameFrom(fromMs: number): Promise<EncodedPacket | null> {
    const before = await this.keyFrameBefore(fromMs);
    return !before || msOf(before) >= fromMs ? before : await this.keyFrameAfter(before);
  }

  /** The last key frame that does not begin after so many milliseconds; the first, where all do. */
  async keyFrameBefore(ms: number): Promise<EncodedPacket | null> {
    if (!this.video) return null;
    const sink = new EncodedPacketSink(this.video);
    // Times are whole milliseconds here, and fractions of seconds there.
    return (await sink.getKeyPacket((ms + HALF_MS) / 1_000, VERIFIED)) ?? (await sink.getFirstKeyPacket(VERIFIED));
  }

  async keyFrameAfter(key: EncodedPacket): Promise<EncodedPacket | null> {
    return this.video ? await new EncodedPacketSink(this.video).getNextKeyPacket(key, VERIFIED) : null;
  }

  /** The first picture that does not begin before so many milliseconds. */
  async pictureFrom(ms: number): Promise<EncodedPacket | null> {
    return this.video ? await packetFrom(new EncodedPacketSink(this.video), ms) : null;
  }

  /** All pictures from one on, in their order. */
  async *picturesFrom(key: EncodedPacket): AsyncGenerator<TimedPacket, void, undefined> {
    if (this.video) yield* timed('video', new EncodedPacketSink(this.video).packets(key, undefined, VERIFIED));
  }

  /** All sound that does not begin before so many milliseconds. */
  async *soundFrom(ms: number): AsyncGenerator<TimedPacket, void, undefined> {
    if (!this.audio) return;
    const sink = new EncodedPacketSink(this.audio);
    const first = await packetFrom(sink, ms);
    if (first) yield* timed('audio', sink.packets(first));
  }

  /**
   * Both tracks, in the order of their times, from a picture on.
   * @param from of the video; sound that begins before it is left out
   */
  packetsFrom(from: EncodedPacket): AsyncGenerator<TimedPacket, void, undefined> {
    return inOrder(this.picturesFrom(from), this.soundFrom(msOf(from)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#input.dispose();
    await this.#file.close();
  }
}

export const msOf = ({ timestamp }: EncodedPacket): number => Math.round(timestamp * 1_000);

async function readExactly(file: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const into = new Uint8Array(end - start);
  const { bytesRead } = await file.read(into, 0, into.length, start);
  if (bytesRead < into.length) throw new Error('The video became shorter while it was read.');
  return into;
}

async function packetFrom(sink: EncodedPacketSink, ms: number): Promise<EncodedPacket | null> {
  const before = await sink.getPacket((ms + HALF_MS) / 1_000);
  if (!before) return await sink.getFirstPacket();
  return msOf(before) >= ms ? before : await sink.getNextPacket(before);
}

async function* timed(
  kind: TimedPacket['kind'],
  packets: AsyncGenerator<EncodedPacket, void, unknown>,
): AsyncGenerator<TimedPacket, void, undefined> {
  let held: EncodedPacket | undefined;
  let lengthMs = SHORTEST_MS;
  for await (const packet of packets) {
    if (held) {
      lengthMs = Math.max(SHORTEST_MS, msOf(packet) - msOf(held));
      yield { kind, packet: held, atMs: msOf(held), endMs: msOf(held) + lengthMs };
    }
    held = packet;
  }
  if (held) yield { kind, packet: held, atMs: msOf(held), endMs: msOf(held) + Math.min(lengthMs, LONGEST_LAST_MS) };
}

/** Several tracks as one, in the order of their times. */
export async function* inOrder(
  ...tracks: AsyncGenerator<TimedPacket, void, undefined>[]
): AsyncGenerator<TimedPacket, void, undefined> {
  try {
    const heads = await Promise.all(tracks.map((track) => track.next()));
    while (true) {
      const open = heads.flatMap(({ value }, index) => (value ? [{ value, index }] : []));
      const [first] = open.sort((a, b) => a.value.atMs - b.value.atMs);
      if (!first) return;
      yield first.value;
      heads[first.index] = (await tracks[first.index]?.next()) ?? { done: true, value: undefined };
    }
  } finally {
    for (const track of tracks) await track.return();
  }
}
