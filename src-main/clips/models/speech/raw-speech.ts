import { join } from 'node:path';
import type { Span } from '../../media/media.ts';
import { SPEECH_RATE } from '../../media/sound-rates.ts';
import { loaded } from '../files/check-files.ts';
import type { AnyClipModel, ClipModel } from '../files/model-manifest.ts';
import { type Diarization, type Recognizer, sherpa, type Vad } from './sherpa.ts';
import { gathered, stretchesToWrite } from './speech-spans.ts';

/** Samples that the detector looks at at once, and seconds of speech that it keeps: a span is ended after so many. */
const [WINDOW, LONGEST_SPAN] = [512, 20];
const BUFFER_SECONDS = 60;

/** What is said in a span. */
type SaidThen = Span & { words: string };

export interface SpeechModels {
  voice: ClipModel<'voice'> | null;
  words: ClipModel<'words'> | null;
  speakers: ClipModel<'speakers'> | null;
  threads: number;
}

/** Listens to speech with sherpa-onnx, in the process of the models; whoever wants it asks {@link ClipSpeech}. Each model is loaded when it is first asked. */
export class RawSpeech {
  readonly #models: SpeechModels;
  #voice: Promise<Vad> | undefined;
  #words: Promise<Recognizer> | undefined;
  #speakers: Promise<Diarization> | undefined;

  constructor(models: SpeechModels) {
    this.#models = models;
  }

  /** When somebody speaks. @param samples of {@link SPEECH_RATE} */
  async voice(samples: Float32Array): Promise<Span[]> {
    this.#voice ??= loadVoice(this.#models.voice, this.#models.threads);
    const vad = await this.#voice;
    vad.reset();
    const spans: Span[] = [];
    const take = () => {
      for (; !vad.isEmpty(); vad.pop()) {
        const { start, samples: spoken } = vad.front(false);
        spans.push({ from: start / SPEECH_RATE, to: (start + spoken.length) / SPEECH_RATE });
      }
    };
    for (let at = 0; at + WINDOW <= samples.length; at += WINDOW) {
      vad.acceptWaveform(samples.subarray(at, at + WINDOW));
      take();
    }
    vad.flush();
    take();
    return spans;
  }

  /** What is said: each stretch of speech written down by itself, since Whisper hears half a minute at once and makes words of silence. */
  async words(samples: Float32Array): Promise<SaidThen[]> {
    this.#words ??= loadWords(this.#models.words, this.#models.threads);
    const recognizer = await this.#words;
    const seconds = samples.length / SPEECH_RATE;
    const spans = this.#models.voice ? gathered(await this.voice(samples)) : stretchesToWrite(seconds);
    const said: SaidThen[] = [];
    for (const span of spans) {
      const { from, to } = within(span, seconds);
      const stream = recognizer.createStream();
      const part = samples.slice(Math.round(from * SPEECH_RATE), Math.round(to * SPEECH_RATE));
      stream.acceptWaveform({ samples: part, sampleRate: SPEECH_RATE });
      await recognizer.decodeAsync(stream);
      const words = recognizer.getResult(stream).text.trim();
      if (words !== '') said.push({ from, to, words });
    }
    return said;
  }

  /** Who speaks when. */
  async turns(samples: Float32Array): Promise<(Span & { speaker: string })[]> {
    this.#speakers ??= loadSpeakers(this.#models.speakers, this.#models.threads);
    const found = (await this.#speakers).process(samples);
    const seconds = samples.length / SPEECH_RATE;
    return found.map(({ start, end, speaker }) => ({
      ...within({ from: start, to: end }, seconds),
      speaker: `${speaker}`,
    }));
  }
}

/** Not beyond the sound: a model's windows go over its end. */
function within({ from, to }: Span, seconds: number): Span {
  return { from: Math.max(0, from), to: Math.min(seconds, to) };
}

function loadVoice(model: ClipModel<'voice'> | null, numThreads: number): Promise<Vad> {
  return ofModel(model, ({ folder, manifest: { files } }) => {
    const sileroVad = {
      ...{ model: join(folder, files.voice.path), threshold: 0.5, windowSize: WINDOW },
      ...{ minSpeechDuration: 0.25, minSilenceDuration: 0.4, maxSpeechDuration: LONGEST_SPAN },
    };
    return new (sherpa().Vad)({ sileroVad, sampleRate: SPEECH_RATE, numThreads, debug: 0 }, BUFFER_SECONDS);
  });
}

function loadWords(model: ClipModel<'words'> | null, numThreads: number): Promise<Recognizer> {
  return ofModel(model, ({ folder, manifest: { files, language } }) => {
    const [encoder, decoder, tokens] = [files.encoder, files.decoder, files.tokens].map(({ path }) =>
      join(folder, path),
    );
    const whisper = { encoder, decoder, language, task: 'transcribe', tailPaddings: -1 };
    const modelConfig = { whisper, tokens, numThreads, provider: 'cpu', debug: 0 };
    const featConfig = { sampleRate: SPEECH_RATE, featureDim: 80 };
    return new (sherpa().OfflineRecognizer)({ featConfig, modelConfig });
  });
}

function loadSpeakers(model: ClipModel<'speakers'> | null, numThreads: number): Promise<Diarization> {
  return ofModel(model, ({ folder, manifest: { files, threshold } }) => {
    const segmentation = join(folder, files.segmentation.path);
    const diarization = new (sherpa().OfflineSpeakerDiarization)({
      segmentation: { pyannote: { model: segmentation }, numThreads, debug: 0 },
      embedding: { model: join(folder, files.embedding.path), numThreads, debug: 0 },
      clustering: { numClusters: -1, threshold },
      minDurationOn: 0.3,
      minDurationOff: 0.5,
    });
    if (diarization.sampleRate !== SPEECH_RATE) throw new Error(`It hears ${diarization.sampleRate} samples a second.`);
    return diarization;
  });
}

function ofModel<Model extends AnyClipModel, Loaded>(
  model: Model | null,
  load: (model: Model) => Loaded,
): Promise<Loaded> {
  if (!model) return Promise.reject(new Error('There is no such model.'));
  return loaded(model, () => load(model));
}
