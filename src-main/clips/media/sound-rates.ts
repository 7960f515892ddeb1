/** Samples a second that models of sounds want, and those of speech: sounds are read for them so, and no model is taken that wants others. */
export const [SOUND_RATE, SPEECH_RATE] = [48_000, 16_000] as const;
