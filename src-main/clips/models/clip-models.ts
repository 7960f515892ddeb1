import type { RawPicture, RawSound, Span } from '../media/media.ts';

/** A text among pictures, and among sounds: each in the space of the model that knows both. Of length 1. */
export interface TextVectors {
  seen: Float32Array;
  /** null without a model of sounds. */
  heard: Float32Array | null;
}

/**
 * How what the models are given is taken out of a video, by the room `clips/reading`: a part of each space's name, so that vectors of nodes that do it otherwise are not compared, and none of them is
 * held to lie. Whoever changes anything of it, there or in `clips/media`, puts another one here.
 */
export const READING = 'reading1';

/** So many pictures stand for a clip, each no larger than this on its longer side. */
export const [PICTURES_OF_A_CLIP, PICTURE_SIDE] = [8, 448] as const;

/**
 * What makes numbers of pictures, sounds and texts. Numbers of one space can be compared, of two never: its name has the models' files in it, and how videos are read for them.
 * All are asked one after another, in a process of their own.
 */
export interface ClipModels {
  /** `siglip2-base@1a2b3c4d5e6f+clap-htsat@0f1e2d3c4b5a#reading1`, up to 200 characters. */
  readonly space: string;
  /** Whether there is a model of sounds among them. */
  readonly hears: boolean;
  /** The mean of the pictures' vectors, of length 1. */
  pictures(pictures: readonly RawPicture[], signal: AbortSignal): Promise<Float32Array>;
  /** Null where none {@link hears}. Of length 1. @param sound of `SOUND_RATE` */
  sound(sound: RawSound, signal: AbortSignal): Promise<Float32Array | null>;
  texts(texts: readonly string[], signal: AbortSignal): Promise<TextVectors[]>;
  /** A text cut into pieces of 60 tokens, none shorter than 5 but for one alone, and how many different tokens it has. */
  pieces(text: string, signal: AbortSignal): Promise<{ pieces: string[]; uniqueTokens: number }>;
}

/** Somebody speaks, or something is said, seconds from the beginning of the sound. */
export interface SpokenTurn extends Span {
  speaker: string;
}
export interface SpokenWords extends Span {
  words: string;
}

/** Who listens to speech. Each of them may be missing. @param sound of `SPEECH_RATE` */
export interface Listeners {
  /** When somebody speaks. */
  readonly voice: { spans(sound: RawSound, signal: AbortSignal): Promise<Span[]> } | null;
  /** What is said. */
  readonly words: { words(sound: RawSound, signal: AbortSignal): Promise<SpokenWords[]> } | null;
  /** Who speaks when. */
  readonly speakers: { turns(sound: RawSound, signal: AbortSignal): Promise<SpokenTurn[]> } | null;
}

/** Who says in words what is seen. */
export interface Captioner {
  /** As its server calls it. Default: nobody says. */
  readonly model?: string;
  /** @param jpegs key frames in their order @param words what is said @throws QuarryError what keeps the model from answering */
  describe(
    about: { title: string; jpegs: readonly Uint8Array[]; words: string | null },
    signal: AbortSignal,
  ): Promise<string>;
}
