import { packed, unpacked } from '../../../base/packed-numbers.ts';
import { ignoring } from '../../../base/swallowed.ts';
import { failureOf } from '../../../process/failure.ts';
import { RawVectors } from './raw-vectors.ts';
import { type VectorReport, type VectorTask, vectorTaskSchema } from './vector-messages.ts';

/** Entry of the process that makes vectors of pictures, sounds and texts: the models of its first message, for as long as it lives. It does one thing after the other. */
let models: Promise<RawVectors> | undefined;
let done: Promise<void> = Promise.resolve();

process.on('message', (message) => {
  const task = vectorTaskSchema.parse(message);
  if (task.task === 'open') {
    models = RawVectors.open(task);
    models.catch(ignoring('told to whoever asks'));
  } else done = done.then(() => answer(task));
});

type Question = Exclude<VectorTask, { task: 'open' }>;

async function answer(task: Question): Promise<void> {
  try {
    process.send?.(await answered(task));
  } catch (error) {
    process.send?.({ id: task.id, failed: failureOf(error) } satisfies VectorReport);
  }
}

async function answered(task: Question): Promise<VectorReport> {
  const { id } = task;
  if (!models) throw new Error('No models were named.');
  const open = await models;
  if (task.task === 'picture')
    return { id, vector: packed(await open.picture({ ...task, rgb: Buffer.from(task.rgb, 'base64') })) };
  if (task.task === 'sound') return { id, vector: packed(await open.sound(unpacked(task.samples))) };
  if (task.task === 'pieces') return { id, ...open.pieces(task.text) };
  const texts = [];
  for (const text of task.texts) {
    const { seen, heard } = await open.text(text);
    texts.push({ seen: packed(seen), heard: heard && packed(heard) });
  }
  return { id, texts };
}
