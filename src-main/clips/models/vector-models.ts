import { say } from '../../../src-preload/contract/saying.ts';
import { entryModule } from '../../base/installation.ts';
import { packed, unpacked } from '../../base/packed-numbers.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import type { RawPicture, RawSound } from '../media/media.ts';
import { AskedChild, type ChildTimes } from './asked-child.ts';
import { type ClipModels, READING, type TextVectors } from './clip-models.ts';
import { type ClipModel, spaceOf } from './files/model-manifest.ts';
import { onnxEnvironment } from './onnx-environment.ts';
import { meanOf } from './vectors/mean-vector.ts';
import { soundStretches } from './vectors/sound-input.ts';
import { MOST_TEXTS, type VectorReport, vectorReportSchema } from './vectors/vector-messages.ts';

const ENTRY = entryModule('clips/models/vectors/vectors-child');
/** SigLIP 2 and CLAP with their texts, whole, are 2.1 GB; what they compute with comes on top. */
const LIMITS = { heapMiB: 1_024, memoryMiB: 6_144, priority: 10 };

export interface VectorModelsOptions extends ChildTimes {
  pictures: ClipModel<'pictures'>;
  /** Null where there is none: then nothing is heard. */
  sounds: ClipModel<'sounds'> | null;
  /** Of the processor. Default 1: so that a node has others left. */
  threads?: number | undefined;
  spawner?: ProcessSpawner | undefined;
}

/** Vectors by ONNX models, in a process of their own that runs while somebody asks. A resource. */
export class VectorModels implements ClipModels {
  readonly space: string;
  readonly hears: boolean;
  readonly #child: AskedChild<VectorReport>;
  readonly #seconds: number | null;

  constructor({ pictures, sounds, threads = 1, spawner, ...times }: VectorModelsOptions) {
    const models = [pictures, ...(sounds ? [sounds] : [])].map(({ manifest }) => spaceOf(manifest));
    this.space = `${models.join('+')}#${READING}`;
    this.hears = sounds !== null;
    this.#seconds = sounds?.manifest.sound.seconds ?? null;
    this.#child = new AskedChild({
      ...{ spawner, ...times },
      launch: { name: 'the models of clips', run: ENTRY, env: onnxEnvironment(), limits: LIMITS },
      messages: vectorReportSchema,
      greeting: { task: 'open', pictures, sounds, threads },
      died: (reason) => say('clipModels.died', { reason }),
    });
  }

  /** The process, for whoever measures it; undefined where none runs. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  async pictures(pictures: readonly RawPicture[], signal: AbortSignal): Promise<Float32Array> {
    const vectors: Float32Array[] = [];
    for (const { width, height, rgb } of pictures)
      vectors.push(
        await this.#vector({ task: 'picture', width, height, rgb: Buffer.from(rgb).toString('base64') }, signal),
      );
    return meanOf(vectors);
  }

  async sound(sound: RawSound, signal: AbortSignal): Promise<Float32Array | null> {
    if (this.#seconds === null) return null;
    const vectors: Float32Array[] = [];
    for (const samples of soundStretches(sound, this.#seconds))
      vectors.push(await this.#vector({ task: 'sound', samples: packed(samples) }, signal));
    return meanOf(vectors);
  }

  async texts(texts: readonly string[], signal: AbortSignal): Promise<TextVectors[]> {
    const found: TextVectors[] = [];
    for (let from = 0; from < texts.length; from += MOST_TEXTS) {
      const some = texts.slice(from, from + MOST_TEXTS);
      const report = await this.#child.ask([{ task: 'texts', texts: some }], signal);
      if (!('texts' in report)) throw new TypeError('another answer');
      for (const { seen, heard } of report.texts)
        found.push({ seen: unpacked(seen), heard: heard === null ? null : unpacked(heard) });
    }
    return found;
  }

  async pieces(text: string, signal: AbortSignal): Promise<{ pieces: string[]; uniqueTokens: number }> {
    const report = await this.#child.ask([{ task: 'pieces', text }], signal);
    if (!('pieces' in report)) throw new TypeError('another answer');
    const { pieces, uniqueTokens } = report;
    return { pieces, uniqueTokens };
  }

  /** Ends the process. */
  async close(): Promise<void> {
    await this.#child.close();
  }

  async #vector(task: object, signal: AbortSignal): Promise<Float32Array> {
    const report = await this.#child.ask([task], signal);
    if (!('vector' in report)) throw new TypeError('another answer');
    return unpacked(report.vector);
  }
}
