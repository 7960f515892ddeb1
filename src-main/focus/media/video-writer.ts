import { type FileHandle, open } from 'node:fs/promises';
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  type MetadataTags,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  type StreamTargetChunk,
  WebMOutputFormat,
} from 'mediabunny';
import type { Container } from '../../../src-preload/contract/focus.ts';
import { writeFully } from '../../base/write-fully.ts';
import { setMp4Times } from './mp4-times.ts';
import type { Shape, TimedPacket } from './video-reader.ts';

const PIECE_BYTES = 1 << 20;
/** Opus for 20 ms without a sound, in one channel: a decoder makes of it what its stream has. */
const SILENCE = Uint8Array.of(0xf8, 0xff, 0xfe);
const SILENCE_MS = 20;
/** Sound that fails for longer is filled up: all pictures until the next sound would wait in memory for it, here and in some players. */
const LONGEST_GAP_MS = 1_000;

export interface WriterOptions {
  /** Default: WebM. */
  container?: Container;
  /** Default: none. */
  tags?: MetadataTags | undefined;
}

/**
 * Writes packets as they are into a file with a duration and cues. (In key frames of VP9, mediabunny sets the three bits that name the colours to what
 * the track says: some recorders leave them open.) To be finished, or else disposed of.
 */
export class VideoWriter {
  readonly #file: FileHandle;
  readonly #output: Output;
  readonly #video: EncodedVideoPacketSource;
  readonly #audio: EncodedAudioPacketSource | undefined;
  readonly #fillsGaps: boolean;
  /** When it was made, by its tags, Unix milliseconds; null where they do not say. */
  readonly #madeAt: number | null;
  /** Of an MP4: its index, and where it is. */
  #index: { data: Uint8Array; position: number } | undefined;
  #soundEndMs = 0;
  #endMs = 0;

  private constructor(file: FileHandle, output: Output, { video, audio }: Shape, madeAt: number | null) {
    this.#madeAt = madeAt;
    this.#file = file;
    this.#output = output;
    this.#video = new EncodedVideoPacketSource(video.codec);
    this.#audio = audio ? new EncodedAudioPacketSource(audio.codec) : undefined;
    this.#fillsGaps = audio?.codec === 'opus';
    output.addVideoTrack(this.#video, { decoderConfig: video.config });
    if (this.#audio) output.addAudioTrack(this.#audio, { decoderConfig: audio?.config });
  }

  /** @param path of a file that is not there yet; nobody else may read it @throws what the system says */
  static async open(
    path: string,
    shape: Shape,
    { container = 'webm', tags }: WriterOptions = {},
  ): Promise<VideoWriter> {
    const file = await open(path, 'wx', 0o600);
    // The index of an MP4 comes last: it would have to be kept in memory with all that is before it.
    let writer: VideoWriter | undefined;
    const onMoov = (data: Uint8Array, position: number) => writer?.keepIndex(data, position);
    const format = container === 'webm' ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: false, onMoov });
    const output = new Output({ format, target: targetIn(file) });
    if (tags) output.setMetadataTags(tags);
    writer = new VideoWriter(file, output, shape, tags?.date?.getTime() ?? null);
    await output.start();
    return writer;
  }

  /** Called with the index of an MP4 once it is written. */
  private keepIndex(data: Uint8Array, position: number): void {
    this.#index = { data, position };
  }

  /** Where what was written ends, milliseconds. */
  get endMs(): number {
    return this.#endMs;
  }

  /** In the order of their times. @param shiftMs how much later it is in this file */
  async add({ kind, packet, atMs, endMs }: TimedPacket, shiftMs: number): Promise<void> {
    const [at, end] = [atMs + shiftMs, endMs + shiftMs];
    const moved = packet.clone({ timestamp: at / 1_000, duration: (end - at) / 1_000 });
    this.#endMs = Math.max(this.#endMs, end);
    if (kind === 'audio') return await this.#addSound(moved, end);
    await this.#fillUntil(at);
    await this.#video.add(moved);
  }

  /** What was written is on the disk when this has returned. */
  async finish(): Promise<void> {
    await this.#output.finalize();
    if (this.#index) {
      setMp4Times(this.#index.data, this.#madeAt); // or else they say when it was exported
      await writeFully(this.#file, this.#index.data, this.#index.position);
    }
    await this.#file.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#output.state === 'started') await this.#output.cancel();
    await this.#file.close();
  }

  async #addSound(packet: EncodedPacket, endMs: number): Promise<void> {
    this.#soundEndMs = endMs;
    await this.#audio?.add(packet);
  }

  async #fillUntil(ms: number): Promise<void> {
    if (!this.#audio || !this.#fillsGaps || ms - this.#soundEndMs <= LONGEST_GAP_MS) return;
    while (this.#soundEndMs + SILENCE_MS <= ms) {
      const silence = new EncodedPacket(SILENCE, 'key', this.#soundEndMs / 1_000, SILENCE_MS / 1_000);
      await this.#addSound(silence, this.#soundEndMs + SILENCE_MS);
    }
  }
}

function targetIn(file: FileHandle): StreamTarget {
  const write = ({ data, position }: StreamTargetChunk) => writeFully(file, data, position);
  return new StreamTarget(new WritableStream({ write }), { chunked: true, chunkSize: PIECE_BYTES });
}
