/** A stretch of speech, seconds from the beginning, and what is said in it. */
export interface SaidPart {
  from: number;
  to: number;
  words: string;
}

export interface Transcript {
  /** Of all that was heard. */
  seconds: number;
  parts: SaidPart[];
}

/** Who turns speech into text. */
export interface TranscriptionDoor {
  /** By its name, with the language that it knows alone (`en`); empty where it hears which one it is. Undefined where there is none. */
  model(): { name: string; language: string } | undefined;
  /**
   * @param file a file with sound in it, of any kind that ffmpeg reads
   * @throws BAD_REQUEST where it cannot be read, or is too long; ENGINE_UNAVAILABLE without a model or ffmpeg; what the model fails with
   */
  transcribe(file: Uint8Array, signal: AbortSignal): Promise<Transcript>;
}
