import { CHUNK_MS } from '../../../../src-preload/contract/focus-limits.ts';

/** Text stays sharp; an hour takes about a gigabyte where much moves, and a fifth of that where one reads. */
const BITS_PER_SECOND = 2_500_000;
const KEY_FRAME_MS = 2_000;

interface RecorderOptions extends MediaRecorderOptions {
  videoKeyFrameIntervalDuration: number;
}

/** One stream of the browser’s recorder, which is one part of a recording. */
export class StreamRecorder {
  readonly #recorder: MediaRecorder;
  /** Resolves when it has ended, by itself too, and the rest was given out. */
  readonly ended: Promise<void>;
  #onChunk: ((bytes: Blob) => void) | undefined;

  /** Begins at once. @param onChunk given what was recorded, about once a second, and the rest at the end */
  constructor(stream: MediaStream, onChunk: (bytes: Blob) => void) {
    this.#onChunk = onChunk;
    const options: RecorderOptions = {
      mimeType: typeFor(stream),
      videoBitsPerSecond: BITS_PER_SECOND,
      videoKeyFrameIntervalDuration: KEY_FRAME_MS,
    };
    this.#recorder = new MediaRecorder(stream, options);
    this.#recorder.addEventListener('dataavailable', ({ data }) => this.#onChunk?.(data));
    this.ended = new Promise((resolve) => this.#recorder.addEventListener('stop', () => resolve(), { once: true }));
    this.#recorder.start(CHUNK_MS);
  }

  pause(): void {
    if (this.#recorder.state === 'recording') this.#recorder.pause();
  }

  resume(): void {
    if (this.#recorder.state === 'paused') this.#recorder.resume();
  }

  /** Resolves once the rest was given out. Idempotent. */
  async stop(): Promise<void> {
    if (this.#recorder.state !== 'inactive') this.#recorder.stop();
    await this.ended;
  }

  /** Gives nothing out any more: what was recorded since the last chunk is gone. */
  discard(): void {
    this.#onChunk = undefined;
    if (this.#recorder.state !== 'inactive') this.#recorder.stop();
  }
}

function typeFor(stream: MediaStream): string {
  const exact = `video/webm;codecs=vp9${stream.getAudioTracks().length > 0 ? ',opus' : ''}`;
  return MediaRecorder.isTypeSupported(exact) ? exact : 'video/webm';
}
