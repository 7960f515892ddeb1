import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { installedPath } from '../../../base/installation.ts';
import { parsedJson } from '../../../base/json-text.ts';
import { containerInput, GIVEN_PROGRAM } from '../../../sandbox/container-arguments.ts';
import type { EngineCall } from '../../../sandbox/container-engine.ts';
import { CARD_WALLS, contained } from './gpu-container.ts';

/** What can be wrong with a repository. */
export const GPU_FAULTS = [
  /** What was committed to names no repository. */
  'artefact',
  /** Where it was to be, the commit is not. */
  'fetch',
  /** More files or bytes than are allowed. */
  'too-large',
  /** Files that have to be there are not, or are no Python. */
  'files',
  /** An import that has to be there is not, or one is there that may not be. */
  'imports',
  /** It cannot be imported, or has no function of the name. */
  'loads',
  /** A call ended with an error of its own. */
  'traps',
  'late',
  'died',
  /** It changed its input. */
  'tampers',
  'wrong',
] as const;
export type GpuFault = (typeof GPU_FAULTS)[number];

/** What came of one container: milliseconds of each piece that counts; what is wrong; or that there is no card any more. */
const saidSchema = z.union([
  z.strictObject({ times: z.array(z.number().positive().max(1e6)).min(10).max(100) }),
  z.strictObject({ fault: z.enum(GPU_FAULTS), detail: z.string().max(300) }),
  z.strictObject({ ours: z.string().max(300) }),
]);
export type Said = z.infer<typeof saidSchema>;

export interface Task {
  /** A repository as tar; undefined: the reference. */
  tree: Buffer | undefined;
  /** 64 hex. */
  seed: string;
  /** Of the run that is measured. */
  tokens: number;
}

/** For everything in one container: PyTorch is loaded twice, kernels are compiled, and PyTorch computes all of it once more. */
const JUDGE_SECONDS = 480;

/** Judges one repository by `resources/gpu-track/judge.py` in a container with a card. @throws the signal’s reason */
export async function judgedIn(image: string, task: Task, signal?: AbortSignal): Promise<Said> {
  const secret = randomBytes(32).toString('hex');
  const input = containerInput(await program('judge.py'), await taskText(task, { secret, device: 'cuda' }));
  const how = { image, walls: CARD_WALLS, command: GIVEN_PROGRAM, seconds: JUDGE_SECONDS };
  return saidBy(await contained({ ...how, input, signal }), secret);
}

/** What the judge reads: a line of JSON, and the repository. */
export async function taskText({ tree, ...task }: Task, more: { secret: string; device: 'cuda' | 'cpu' }) {
  const [reference, runner] = [await program('reference.py'), await program('runner.py')];
  return `${JSON.stringify({ ...task, ...more, reference, runner })}\n${tree?.toString('base64') ?? ''}`;
}

export const program = (name: 'judge.py' | 'reference.py' | 'runner.py'): Promise<string> =>
  readFile(installedPath('resources', 'gpu-track', name), 'utf8');

/** The one line that begins with the secret; what else is printed there is nobody’s word. A container without one has died. */
export function saidBy({ stdout, late }: Pick<EngineCall, 'stdout' | 'late'>, secret: string): Said {
  const line = stdout.split('\n').find((one) => one.startsWith(`${secret} `));
  const said = saidSchema.safeParse(line && parsedJson(line.slice(secret.length + 1)));
  if (said.success) return said.data;
  return { fault: late ? 'late' : 'died', detail: '' };
}
