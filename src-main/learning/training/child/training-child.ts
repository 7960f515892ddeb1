import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { failureOf } from '../../../process/failure.ts';
import { openModel } from '../open-model.ts';
import { PageTraining } from '../page/page-training.ts';
import { checkedGradients, largestDifference } from '../page/self-check.ts';
import { loadAdapter, saveAdapter } from '../saved-adapter.ts';
import { samplesSchema, type TrainingReport, type TrainingTask, taskSchema } from '../training-messages.ts';
import { type Computing, here, onPage } from './computing.ts';
import { handedPort } from './handed-port.ts';

/** Entry of the process that trains: one model and one adapter, for as long as it lives. It does one task after the other. */
const page = handedPort().then((port) => new PageTraining(port));
let open: Computing | undefined;
let done: Promise<void> = Promise.resolve();

process.on('message', (message) => {
  const task = taskSchema.parse(message);
  done = done.then(() => answer(task));
});

async function answer(task: TrainingTask): Promise<void> {
  try {
    process.send?.({ ...(await run(task)), id: task.id } satisfies TrainingReport);
  } catch (error) {
    process.send?.({ id: task.id, failed: failureOf(explained(error)) } satisfies TrainingReport);
  }
}

type Without<Report> = Report extends { id: number } ? Omit<Report, 'id'> : never;

async function run(task: TrainingTask): Promise<Without<TrainingReport>> {
  if (task.task === 'check') {
    const device = await (await page).begin();
    return { device, difference: largestDifference(await (await page).check(), await checkedGradients()) };
  }
  if (task.task === 'open') {
    const { from, settings, keep } = task;
    const model = await openModel({
      ...task,
      from: from === undefined ? undefined : (base) => loadAdapter(from, base),
    });
    open = task.onPage ? await onPage(await page, model, settings, keep) : await here(model, settings, keep);
    return { done: true };
  }
  if (!open) throw new QuarryError({ code: 'NOT_RUNNING', message: say('training.notOpen') });
  if (task.task === 'score') return { logprobs: await open.score(task.sample) };
  if (task.task === 'save') {
    await saveAdapter(task.folder, await open.saved(), open.base, task.model);
    return { done: true };
  }
  const samples = samplesSchema(open.settings).safeParse(task.samples);
  if (!samples.success) throw new QuarryError({ code: 'BAD_REQUEST', message: say('training.badSample') });
  return { figures: await open.step(samples.data, task.rate) };
}

/** What the system, or jax-js, says of a full disk or too little memory, as people are told it. */
function explained(error: unknown): unknown {
  const { code, name, message = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC')
    return new QuarryError({ code: 'DISK_FULL', message: say('training.diskFull') }, { cause: error });
  if (name === 'RangeError' && /memory|allocation/i.test(message)) {
    return new QuarryError({ code: 'OUT_OF_MEMORY', message: say('training.memory') }, { cause: error });
  }
  return error;
}
