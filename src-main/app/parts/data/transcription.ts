import { join } from 'node:path';
import { Transcriber } from '../../../clips/transcription/transcriber.ts';
import type { TranscriptionDoor } from '../../../server/transcription/transcription-door.ts';
import type { ClipStores } from './clip-stores.ts';
import type { ClipToolsPart } from './clip-tools.ts';

/** Speech as text for programs, by the model that writes down what is said in clips. */
export async function openTranscription({
  stores,
  media,
  models,
}: { stores: Pick<ClipStores, 'path'> } & Pick<ClipToolsPart, 'media' | 'models'>): Promise<TranscriptionDoor> {
  const transcriber = new Transcriber({
    media: () => media.tool(),
    words: () => models.now.listeners.words,
    folder: join(stores.path, 'heard'),
  });
  await transcriber.open();
  return {
    model: () => models.now.wordsModel ?? undefined,
    transcribe: (file, signal) => transcriber.transcribe(file, signal),
  };
}
