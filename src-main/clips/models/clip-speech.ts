import { say } from '../../../src-preload/contract/saying.ts';
import { entryModule } from '../../base/installation.ts';
import { packed } from '../../base/packed-numbers.ts';
import type { ProcessSpawner } from '../../process/process-spawner.ts';
import type { RawSound, Span } from '../media/media.ts';
import { SPEECH_RATE } from '../media/sound-rates.ts';
import { AskedChild, type ChildTimes } from './asked-child.ts';
import type { Listeners, SpokenTurn, SpokenWords } from './clip-models.ts';
import { onnxEnvironment } from './onnx-environment.ts';
import type { SpeechModels } from './speech/raw-speech.ts';
import { MOST_SPEECH_SECONDS, PART_SAMPLES, type SpeechReport, speechReportSchema } from './speech/speech-messages.ts';

const ENTRY = entryModule('clips/models/speech/speech-child');
const LIMITS = { heapMiB: 512, memoryMiB: 3_072, priority: 10 };

export interface ClipSpeechOptions extends ChildTimes, Omit<SpeechModels, 'threads'> {
  /** Of the processor. Default 1. */
  threads?: number | undefined;
  spawner?: ProcessSpawner | undefined;
}

/** Listens to speech in a process of its own that runs while somebody asks: sherpa-onnx has an ONNX runtime of its own. A resource. */
export class ClipSpeech implements Listeners {
  readonly voice: Listeners['voice'];
  readonly words: Listeners['words'];
  readonly speakers: Listeners['speakers'];
  readonly #child: AskedChild<SpeechReport>;

  constructor({ voice, words, speakers, threads = 1, spawner, ...times }: ClipSpeechOptions) {
    this.#child = new AskedChild({
      ...{ spawner, ...times },
      launch: { name: 'the models of speech', run: ENTRY, env: onnxEnvironment(), limits: LIMITS },
      messages: speechReportSchema,
      greeting: { task: 'open', voice, words, speakers, threads },
      died: (reason) => say('clipModels.speechDied', { reason }),
    });
    this.voice = voice && { spans: (sound, signal) => this.#spans(sound, signal) };
    this.words = words && { words: (sound, signal) => this.#wordsOf(sound, signal) };
    this.speakers = speakers && { turns: (sound, signal) => this.#turns(sound, signal) };
  }

  /** The process, for whoever measures it; undefined where none runs. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Ends the process. */
  async close(): Promise<void> {
    await this.#child.close();
  }

  async #spans(sound: RawSound, signal: AbortSignal): Promise<Span[]> {
    const report = await this.#child.ask(parts(sound, 'voice'), signal);
    if (!('spans' in report)) throw new TypeError('another answer');
    return report.spans;
  }

  async #wordsOf(sound: RawSound, signal: AbortSignal): Promise<SpokenWords[]> {
    const report = await this.#child.ask(parts(sound, 'words'), signal);
    if (!('words' in report)) throw new TypeError('another answer');
    return report.words;
  }

  async #turns(sound: RawSound, signal: AbortSignal): Promise<SpokenTurn[]> {
    const report = await this.#child.ask(parts(sound, 'speakers'), signal);
    if (!('turns' in report)) throw new TypeError('another answer');
    return report.turns;
  }
}

/** A sound in messages that are small enough to write without a stop, and what is wanted of it. */
function* parts({ samples, rate }: RawSound, task: 'voice' | 'words' | 'speakers'): Generator<object> {
  if (rate !== SPEECH_RATE) throw new RangeError(`a sound of ${rate} samples a second`);
  const most = Math.min(samples.length, MOST_SPEECH_SECONDS * rate);
  for (let from = 0; from < most; from += PART_SAMPLES)
    yield { task: 'part', samples: packed(samples.subarray(from, Math.min(most, from + PART_SAMPLES))) };
  yield { task };
}
