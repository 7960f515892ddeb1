import { isAbsolute } from 'node:path';
import { MOST_CLIP_SECONDS, MOST_FETCHED_SECONDS } from '../../../src-preload/contract/data-limits.ts';
import { openRegular } from '../../base/regular-file.ts';
import { ifMissing } from '../../base/swallowed.ts';
import type { ProcessUsage } from '../../process/child-limits.ts';
import { type Bounds, runBounded } from './bounded-program.ts';
import { checkCopy, copied, placed } from './copy.ts';
import { atOnce, evenly, frameBefore, framesAt, jpegAt, mostBytesOf, picturesOf } from './frames.ts';
import { type MediaFacts, type MediaTool, type RawPicture, type RawSound, type Span, UnusableMedia } from './media.ts';
import { programFailed } from './media-words.ts';
import { MOST_PACKET_BYTES, PACKETS_WANTED, PacketReader, type ReadFacts } from './packets.ts';
import { mostSamples, SampleReader, samplesOf, soundFileSamples } from './samples.ts';
import { MOST_SCENE_BYTES, scenesIn, scenesOf } from './scene-cuts.ts';
import { faultOf, guarded, QUIETLY } from './strange-file.ts';

/** The two programs, by their absolute paths. */
export interface FoundPrograms {
  ffmpeg: string;
  ffprobe: string;
  /** «5.1.9» */
  version: string;
}

export interface FfmpegToolOptions {
  programs: FoundPrograms;
  /** What each child uses, for tests and measurements. Default: as the system says. */
  measure?: (pid: number) => Promise<ProcessUsage>;
  /** What a call may use in place of its usual bounds, for tests. */
  bounds?: Partial<Bounds>;
}

type Signalled = { signal: AbortSignal };
type What = {
  args: string[];
  program?: 'ffmpeg' | 'ffprobe';
  bounds: Partial<Bounds>;
  onOutput?: (bytes: Buffer) => void;
};

/** Of a call that says nothing else. */
const USUAL: Bounds = { cpuSeconds: 60, wallSeconds: 600, memoryMiB: 1_024, outputBytes: 1_000_000, fileBytes: 0 };
const MOST_CLIP_BYTES = 400_000_000;
const KNOWN_FILES = 16;
/** The program’s own fault, or the disk’s: no file can help it. */
const NOT_BEGUN =
  /error while loading shared libraries|^(?:prlimit|setpriv): |No space left on device|^Unrecognized option /m;
const [MOST_PICTURES, MOST_SIDE] = [64, 2_048] as const;

/** Reads and cuts with the user's ffmpeg and ffprobe: for each call a process of its own, which keeps to {@link Bounds} or is ended. */
export class FfmpegTool implements MediaTool {
  readonly version: string;
  readonly #options: FfmpegToolOptions;
  /** Of the files that were asked for last, so that whoever wants several things of one has it read through once. */
  readonly #known = new Map<string, { version: string; facts: ReadFacts }>();

  constructor(options: FfmpegToolOptions) {
    this.#options = options;
    this.version = options.programs.version;
  }

  async probe(path: string, { signal }: Signalled): Promise<MediaFacts> {
    const { delay: _, ...facts } = await this.#facts(path, signal);
    return facts;
  }

  async #facts(path: string, signal: AbortSignal): Promise<ReadFacts> {
    const { bytes, version } = await looked(path);
    signal.throwIfAborted();
    const known = this.#known.get(path);
    if (known?.version === version) return known.facts;
    const facts = await this.#probe(path, bytes, signal);
    this.#remember(path, version, facts);
    return facts;
  }

  #remember(path: string, version: string, facts: ReadFacts): void {
    this.#known.delete(path);
    this.#known.set(path, { version, facts });
    for (const oldest of this.#known.keys()) if (this.#known.size > KNOWN_FILES) this.#known.delete(oldest);
  }

  async #probe(path: string, bytes: number, signal: AbortSignal): Promise<ReadFacts> {
    const reader = new PacketReader();
    const args = [...PACKETS_WANTED, ...guarded(path)];
    const bounds = { cpuSeconds: 30, outputBytes: MOST_PACKET_BYTES };
    await this.#run({ program: 'ffprobe', args, bounds, onOutput: (chunk) => reader.add(chunk) }, signal);
    return reader.facts(bytes);
  }

  async scenes(path: string, span: Span, { signal }: Signalled): Promise<number[]> {
    checkSpan(span);
    await this.#facts(path, signal);
    const bounds = { cpuSeconds: 240, outputBytes: MOST_SCENE_BYTES };
    const text = await this.#output({ args: scenesIn(path, span), bounds }, signal);
    return scenesOf(text.toString('latin1'), span);
  }

  async pictures(
    path: string,
    span: Span,
    { count, side, signal }: Signalled & { count: number; side: number },
  ): Promise<RawPicture[]> {
    checkSpan(span);
    if (!(count >= 1 && count <= MOST_PICTURES && side >= 1 && side <= MOST_SIDE))
      throw new RangeError('so many pictures');
    const facts = await this.#facts(path, signal);
    const to = Math.min(span.to, facts.seconds);
    const times = to > span.from ? evenly({ from: span.from, to }, count) : [];
    const pictures: RawPicture[] = [];
    for (let at = 0; at < times.length; at += atOnce(facts))
      pictures.push(...(await this.#picturesAt(path, times.slice(at, at + atOnce(facts)), side, signal)));
    if (pictures.length > 0) return pictures;
    const before = await this.#pictures(
      frameBefore(path, Math.min(span.from, facts.seconds), side, this.version),
      1,
      side,
      signal,
    );
    if (before.length === 0) throw new UnusableMedia('damaged');
    return before;
  }

  async sound(path: string, span: Span, { rate, signal }: Signalled & { rate: number }): Promise<RawSound | null> {
    checkSpan(span);
    const { audioCodec } = await this.#facts(path, signal);
    if (audioCodec === null) return null;
    return await this.#heard(samplesOf(path, span, rate), mostSamples(span, rate), rate, signal);
  }

  /** A stretch of a file with sound, with or without pictures. @returns null where it has ended before @throws UnusableMedia `noVideo` where there is none in it; as all of {@link MediaTool} */
  async soundFile(path: string, span: Span, { rate, signal }: Signalled & { rate: number }): Promise<RawSound | null> {
    checkSpan(span);
    await looked(path);
    return await this.#heard(soundFileSamples(path, span, rate), mostSamples(span, rate), rate, signal);
  }

  async #heard(args: string[], most: number, rate: number, signal: AbortSignal): Promise<RawSound | null> {
    const reader = new SampleReader(most, rate);
    await this.#run({ args, bounds: { outputBytes: 2 * most }, onOutput: (chunk) => reader.add(chunk) }, signal);
    const sound = reader.sound();
    return sound.samples.length > 0 ? sound : null;
  }

  async cut(path: string, span: Span, to: string, { signal }: Signalled): Promise<MediaFacts> {
    checkSpan(span, MOST_CLIP_SECONDS);
    const facts = await this.#facts(path, signal);
    const read = await placed(to, async (temporary) => {
      const args = copied(path, span, temporary, facts, MOST_CLIP_BYTES);
      await this.#run({ args, bounds: { fileBytes: MOST_CLIP_BYTES + 10_000_000 } }, signal);
      const made = await this.#facts(temporary, signal);
      checkCopy(made, facts, span);
      return made;
    });
    this.#remember(to, (await looked(to)).version, read); // it is looked at next, and need not be read through again
    const { delay: _, ...made } = read;
    return made;
  }

  async jpeg(path: string, atSeconds: number, { side, signal }: Signalled & { side: number }): Promise<Uint8Array> {
    const { seconds } = await this.#facts(path, signal);
    const at = Math.min(atSeconds, seconds);
    const bounds = { outputBytes: 3 * side * side + 10_000 };
    for (const isBefore of [false, true]) {
      const jpeg = await this.#output({ args: jpegAt(path, at, side, isBefore), bounds }, signal);
      if (jpeg.length > 0) return jpeg;
    }
    throw new UnusableMedia('damaged');
  }

  /** One after another where they cannot be taken together: the size of some videos changes. */
  async #picturesAt(path: string, times: readonly number[], side: number, signal: AbortSignal): Promise<RawPicture[]> {
    try {
      return await this.#pictures(framesAt(path, times, side, this.version), times.length, side, signal);
    } catch (error) {
      if (times.length === 1 || !(error instanceof UnusableMedia && error.fault === 'damaged')) throw error;
    }
    const pictures: RawPicture[] = [];
    for (const at of times)
      pictures.push(...(await this.#pictures(framesAt(path, [at], side, this.version), 1, side, signal)));
    return pictures;
  }

  async #pictures(args: string[], count: number, side: number, signal: AbortSignal): Promise<RawPicture[]> {
    const bounds = { cpuSeconds: 120, outputBytes: mostBytesOf(count, side) };
    const ppm = await this.#output({ args, bounds }, signal);
    return picturesOf(ppm);
  }

  async #output(what: Omit<What, 'onOutput'>, signal: AbortSignal): Promise<Buffer> {
    const chunks: Buffer[] = [];
    await this.#run({ ...what, onOutput: (chunk) => chunks.push(chunk) }, signal);
    return Buffer.concat(chunks);
  }

  /** @throws UnusableMedia where the file is to blame; QuarryError where the program cannot be run */
  async #run({ args, program = 'ffmpeg', bounds, onOutput }: What, signal: AbortSignal): Promise<void> {
    const { programs, measure, bounds: own } = this.#options;
    const run = {
      program: programs[program],
      args: [...QUIETLY, ...(program === 'ffmpeg' ? ['-nostdin'] : []), ...args],
      bounds: { ...USUAL, ...bounds, ...own },
      signal,
      measure,
      ...(onOutput && { onOutput }),
    };
    const { code, exceeded, complaint } = await runBounded(run).catch((error: unknown) => {
      signal.throwIfAborted();
      throw programFailed(error);
    });
    if (exceeded) throw new UnusableMedia(exceeded === 'time' ? 'tooSlow' : 'tooLarge');
    if (code === 0) return;
    throw code === null || NOT_BEGUN.test(complaint) ? programFailed(complaint) : faultOf(complaint);
  }
}

/** How large a file is, and which it is. @throws UnusableMedia where there is nothing in it; QuarryError where it is no file */
async function looked(path: string): Promise<{ bytes: number; version: string }> {
  if (!isAbsolute(path)) throw new RangeError('a relative path');
  const file = await openRegular(path).catch(ifMissing);
  if (!file) throw programFailed(`${path} is no file`);
  await using opened = file;
  const { size, mtimeMs, ctimeMs, ino } = await opened.stat();
  if (size === 0) throw new UnusableMedia('damaged');
  return { bytes: size, version: `${ino} ${size} ${mtimeMs} ${ctimeMs}` };
}

function checkSpan({ from, to }: Span, most: number = MOST_FETCHED_SECONDS): void {
  if (!(from >= 0 && to > from && to - from <= most + 1)) throw new RangeError(`from ${from} to ${to} seconds`);
}
