import { MOTION_BLOCKS } from '../../../../src-preload/contract/focus-limits.ts';
import { ignoring } from '../../../api/ignoring.ts';
import { changedBlocks } from './motion.ts';
import { pictureHash } from './picture-hash.ts';

/** Looks at what is recorded, once a second, as finely as motion is told. */
export class MotionMeter {
  readonly #video = document.createElement('video');
  readonly #canvas = new OffscreenCanvas(MOTION_BLOCKS.columns, MOTION_BLOCKS.rows);
  readonly #context = this.#canvas.getContext('2d', { willReadFrequently: true });
  #before: Uint8ClampedArray | undefined;

  constructor(stream: MediaStream) {
    this.#video.muted = true;
    this.#video.srcObject = stream;
    void this.#video.play().catch(ignoring('a stream that has ended shows nothing'));
  }

  /** How many blocks have changed since the last look; 0 at the first. */
  look(): number {
    const after = this.#blocks();
    const before = this.#before;
    this.#before = after ?? before;
    return before && after ? changedBlocks(before, after) : 0;
  }

  /** How the last look found it, roughly; null before. */
  get picture(): string | null {
    return this.#before ? pictureHash(this.#before) : null;
  }

  #blocks(): Uint8ClampedArray | undefined {
    if (!this.#context || this.#video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return undefined;
    const { columns, rows } = MOTION_BLOCKS;
    this.#context.imageSmoothingQuality = 'high'; // each block out of all its pixels
    this.#context.drawImage(this.#video, 0, 0, columns, rows);
    return this.#context.getImageData(0, 0, columns, rows).data;
  }

  close(): void {
    this.#video.pause();
    this.#video.srcObject = null;
  }
}
