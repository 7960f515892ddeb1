import { failureOf } from '../../process/failure.ts';
import { diskFull } from '../focus-problems.ts';
import { edit } from './edit.ts';
import { fingerprint } from './fingerprint.ts';
import { inspect } from './inspect.ts';
import { type MediaReport, type MediaResult, type MediaTask, mediaTaskSchema } from './media-tasks.ts';
import { remux } from './remux.ts';
import { stills } from './stills.ts';
import { strip } from './strip.ts';
import { typicalStills } from './typical-stills.ts';

/** Milliseconds between two words on how far it is. */
const TELL_EVERY_MS = 100;

/** Entry of the process that reads and writes video: for one task. What it leaves behind when it ends early, those who started it remove. */
process.once('message', (message) => {
  void run(mediaTaskSchema.parse(message)).then(
    (result) => tell({ result }),
    (error: unknown) => tell({ failed: failureOf(explained(error)) }),
  );
});

async function run(task: MediaTask): Promise<MediaResult> {
  if (task.task === 'remux') return await remux(task.parts, task.to, progress());
  if (task.task === 'edit') return await edit(task.from, task.to, task, progress());
  if (task.task === 'strip') return await strip(task.from, task.to, progress());
  if (task.task === 'inspect') return await inspect(task.from, task.mostMs, progress());
  if (task.task === 'fingerprint') return await fingerprint(task.from, task.seconds, progress());
  const taken = task.task === 'typical' ? typicalStills(task.from, task, progress()) : stills(task.from, task);
  for await (const { atMs, jpeg } of taken) tell({ still: { atMs, jpeg: Buffer.from(jpeg).toString('base64') } });
  return null;
}

function progress(): (done: number) => void {
  let toldAt = 0;
  return (done) => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    tell({ done });
  };
}

function tell(report: MediaReport): void {
  process.send?.(report);
}

function explained(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code === 'ENOSPC' ? diskFull(error) : error;
}
