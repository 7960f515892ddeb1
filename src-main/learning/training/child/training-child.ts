import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { failureOf } from '../../../process/failure.ts';
import { type OpenTraining, openTraining } from '../open-training.ts';
import { loadAdapter, saveAdapter } from '../saved-adapter.ts';
import type { StepFigures } from '../trainer.ts';
import { samplesSchema, type TrainingReport, type TrainingTask, taskSchema } from '../training-messages.ts';

/** Entry of the process that trains: one model and one adapter, for as long as it lives. It does one task after the other. */
let open: OpenTraining | undefined;
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

type Result = { figures: StepFigures } | { logprobs: number[] } | { done: true };

async function run(task: TrainingTask): Promise<Result> {
  if (task.task === 'open') {
    const { from } = task;
    open = await openTraining({ ...task, from: from === undefined ? undefined : (base) => loadAdapter(from, base) });
    return { done: true };
  }
  if (!open) throw new QuarryError({ code: 'NOT_RUNNING', message: say('training.notOpen') });
  const { training, adapter, state, base, settings } = open;
  if (task.task === 'score') return { logprobs: await training.score(task.sample) };
  if (task.task === 'save') {
    await saveAdapter(task.folder, { adapter, state }, base, task.model);
    return { done: true };
  }
  const samples = samplesSchema(settings).safeParse(task.samples);
  if (!samples.success) throw new QuarryError({ code: 'BAD_REQUEST', message: say('training.badSample') });
  return { figures: await training.step(samples.data) };
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
