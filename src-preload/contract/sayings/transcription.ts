/** What main says about: speech that is written down for programs. */
export const transcription = {
  'transcription.noSound': 'There is no sound in the file.',
  'transcription.tooLong': 'The sound is longer than {{hours}} hours: send it in parts.',
  'transcription.noModel': 'No model here writes down what is said.',
  'transcription.noModel.hint': 'Fetch one: quarry data models fetch whisper-tiny',
} as const;
