import { createRequire } from 'node:module';

/*
 * What is used of sherpa-onnx-node: it says its types in comments only. Its library is loaded with the first model of speech, in no other process than that of speech.
 */

interface Segment {
  /** Sample at which it begins. */
  start: number;
  samples: Float32Array;
}

export interface Vad {
  acceptWaveform(samples: Float32Array): void;
  isEmpty(): boolean;
  front(enableExternalBuffer: boolean): Segment;
  pop(): void;
  flush(): void;
  reset(): void;
}

interface OfflineStream {
  acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void;
}

export interface Recognizer {
  createStream(): OfflineStream;
  decodeAsync(stream: OfflineStream): Promise<unknown>;
  getResult(stream: OfflineStream): { text: string };
}

export interface Diarization {
  readonly sampleRate: number;
  process(samples: Float32Array): { start: number; end: number; speaker: number }[];
}

interface Sherpa {
  Vad: new (config: object, bufferSeconds: number) => Vad;
  OfflineRecognizer: new (config: object) => Recognizer;
  OfflineSpeakerDiarization: new (config: object) => Diarization;
}

/** @throws where it cannot be loaded on this computer */
export function sherpa(): Sherpa {
  return createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa;
}
