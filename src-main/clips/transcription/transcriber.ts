import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { makeFolder } from '../../base/folder.ts';
import { randomToken } from '../../base/random-token.ts';
import type { FfmpegTool } from '../media/ffmpeg-tool.ts';
import { UnusableMedia } from '../media/media.ts';
import { faultInWords, noMedia } from '../media/media-words.ts';
import { SPEECH_RATE } from '../media/sound-rates.ts';
import type { Listeners, SpokenWords } from '../models/clip-models.ts';

export interface TranscriberOptions {
  /** Undefined without a program that reads sounds. */
  media: () => Promise<Pick<FfmpegTool, 'soundFile'> | undefined>;
  /** Null where no model writes down what is said. */
  words: () => Listeners['words'];
  /** For what is heard, as long as it is: all of it goes again. */
  folder: string;
}

export interface HeardSpeech {
  seconds: number;
  parts: SpokenWords[];
}

/** Seconds that are listened to at once, and at the most. */
const [PART_SECONDS, MOST_SECONDS] = [300, 4 * 3_600] as const;

/** Writes down what is said in a sound, part by part, so that a long one takes no more memory than a short one. */
export class Transcriber {
  readonly #options: TranscriberOptions;

  constructor(options: TranscriberOptions) {
    this.#options = options;
  }

  /** Deletes what a killed process left. */
  async open(): Promise<void> {
    await rm(this.#options.folder, { recursive: true, force: true });
    await makeFolder(this.#options.folder, 0o700);
  }

  /**
   * @param bytes a file with sound in it
   * @throws BAD_REQUEST where nothing can be heard in it, or it is longer than four hours; ENGINE_UNAVAILABLE without a model or ffmpeg; what the model fails with
   */
  async transcribe(bytes: Uint8Array, signal: AbortSignal): Promise<HeardSpeech> {
    const { media, words, folder } = this.#options;
    const [tool, listener] = [await media(), words()];
    if (!listener) throw noWords();
    if (!tool) throw noMedia();
    const path = join(folder, randomToken());
    try {
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600, signal });
      return await this.#listen(path, { tool, listener }, signal);
    } catch (error) {
      if (!(error instanceof UnusableMedia)) throw error;
      const why = error.fault === 'noVideo' ? say('transcription.noSound') : faultInWords(error.fault);
      throw new QuarryError({ code: 'BAD_REQUEST', message: why, field: 'file' }, { cause: error });
    } finally {
      await rm(path, { force: true });
    }
  }

  async #listen(
    path: string,
    { tool, listener }: { tool: Pick<FfmpegTool, 'soundFile'>; listener: NonNullable<Listeners['words']> },
    signal: AbortSignal,
  ): Promise<HeardSpeech> {
    const heard: HeardSpeech = { seconds: 0, parts: [] };
    for (let from = 0; ; from += PART_SECONDS) {
      signal.throwIfAborted();
      if (from >= MOST_SECONDS) throw tooLong();
      const sound = await tool.soundFile(path, { from, to: from + PART_SECONDS }, { rate: SPEECH_RATE, signal });
      if (!sound) return heard;
      const said = await listener.words(sound, signal);
      heard.parts.push(...said.map((part) => ({ ...part, from: from + part.from, to: from + part.to })));
      const seconds = sound.samples.length / sound.rate;
      heard.seconds = from + seconds;
      if (seconds < PART_SECONDS) return heard;
    }
  }
}

const noWords = () =>
  new QuarryError({
    code: 'ENGINE_UNAVAILABLE',
    message: say('transcription.noModel'),
    hint: say('transcription.noModel.hint'),
  });

const tooLong = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('transcription.tooLong', { hours: MOST_SECONDS / 3_600 }),
    field: 'file',
  });
