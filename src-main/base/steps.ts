import { Slices } from './slices.ts';

/** Long work that can be put aside after each step, which takes a fraction of a millisecond. */
export type Steps<Made> = Generator<void, Made, void>;

/** All of it in one go: for what is known to be short. */
export function atOnce<Made>(steps: Steps<Made>): Made {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** With turns for others in between. @param signal ends it between two steps @throws the signal's reason */
export async function inSlices<Made>(steps: Steps<Made>, signal?: AbortSignal): Promise<Made> {
  const slices = new Slices(signal);
  let step = steps.next();
  while (!step.done) {
    if (slices.isOver) await slices.next();
    step = steps.next();
  }
  return step.value;
}
