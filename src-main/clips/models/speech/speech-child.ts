import { unpacked } from '../../../base/packed-numbers.ts';
import { failureOf } from '../../../process/failure.ts';
import { RawSpeech } from './raw-speech.ts';
import { type SpeechReport, type SpeechTask, speechTaskSchema } from './speech-messages.ts';

/** Entry of the process that listens to speech: the models of its first message, for as long as it lives. It does one thing after the other. */
let speech: RawSpeech | undefined;
let parts: Float32Array[] = [];
let done: Promise<void> = Promise.resolve();

process.on('message', (message) => {
  const task = speechTaskSchema.parse(message);
  if (task.task === 'open') speech = new RawSpeech(task);
  else if (task.task === 'part') parts.push(unpacked(task.samples));
  else {
    const sound = joined(parts);
    parts = [];
    done = done.then(() => answer(task, sound));
  }
});

type Question = Exclude<SpeechTask, { task: 'open' | 'part' }>;

async function answer(task: Question, sound: Float32Array): Promise<void> {
  try {
    process.send?.(await answered(task, sound));
  } catch (error) {
    process.send?.({ id: task.id, failed: failureOf(error) } satisfies SpeechReport);
  }
}

async function answered({ task, id }: Question, sound: Float32Array): Promise<SpeechReport> {
  if (!speech) throw new Error('No models were named.');
  if (task === 'voice') return { id, spans: await speech.voice(sound) };
  if (task === 'words') return { id, words: await speech.words(sound) };
  return { id, turns: await speech.turns(sound) };
}

function joined(all: readonly Float32Array[]): Float32Array {
  const sound = new Float32Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) {
    sound.set(part, at);
    at += part.length;
  }
  return sound;
}
