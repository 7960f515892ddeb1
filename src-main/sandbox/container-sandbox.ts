import { randomBytes } from 'node:crypto';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say, type Words } from '../../src-preload/contract/saying.ts';
import { Places } from '../base/places.ts';
import { TaskSet } from '../base/task-set.ts';
import { containerArguments, containerInput } from './container-arguments.ts';
import { callEngine, type EngineCall, type EngineName, lastWords } from './container-engine.ts';
import {
  PROGRAM_MS,
  type ProgramRun,
  type ProgramRunOptions,
  type ProgramSandbox,
  programsAtATime,
  RUN_MS,
  RunTime,
  runInTurn,
} from './program-sandbox.ts';

export interface ContainerSandboxOptions {
  engine: EngineName;
  /** Holds Python, and is on this machine: none is fetched. */
  image: string;
  /** How much of a processor’s time a program may take for an input, milliseconds, and as much of the clock’s once the container has begun. Default 10,000. */
  runMs?: number;
  /** For all of its inputs, beside a second for each of their containers to begin, milliseconds. Default 30,000. */
  programMs?: number;
  /** Programs at a time. Default as {@link programsAtATime}. */
  most?: number;
}

/** The engine itself answers within this, or does not work, milliseconds. */
const ENGINE_MS = 30_000;
/** What a container may take to begin, beside its program, milliseconds. */
const BEGIN_MS = 5_000;
/** What it mostly takes. */
const USUAL_BEGIN_MS = 1_000;
/** `docker run` ends with these where it failed itself; so does a program that wants it to look so. */
const OWN_CODES = [125, 126, 127];
/** By SIGKILL: mostly of the system, where there was too much memory; by SIGXCPU, where there was too much of the processor’s time. */
const [KILLED, TOO_LONG] = [137, 152];

/** Runs strangers' Python in containers of Docker or Podman: one for each input of each program. */
export class ContainerSandbox implements ProgramSandbox {
  readonly #options: Required<Omit<ContainerSandboxOptions, 'most'>>;
  readonly #places: Places;
  readonly #closing = new AbortController();
  readonly #running = new TaskSet();
  #image: Promise<string> | undefined;

  constructor(options: ContainerSandboxOptions) {
    const { engine, image, runMs = RUN_MS, programMs = PROGRAM_MS, most = programsAtATime() } = options;
    this.#options = { engine, image, runMs, programMs };
    this.#places = new Places(most);
  }

  async run(program: string, inputs: readonly string[], options: ProgramRunOptions = {}): Promise<ProgramRun[]> {
    const { party, signal } = options;
    const ended = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    const work = () => this.#runAll(program, inputs, options, ended);
    return await this.#running.add(this.#places.take(work, { party, signal: ended }));
  }

  async close(): Promise<void> {
    this.#closing.abort(new QuarryError({ code: 'CANCELLED', message: say('sandbox.closed') }));
    await this.#running.ended();
  }

  async #runAll(
    program: string,
    inputs: readonly string[],
    { isEnough, time: given = this.#options }: ProgramRunOptions,
    ended: AbortSignal,
  ): Promise<ProgramRun[]> {
    const image = await this.#ready();
    ended.throwIfAborted();
    const { runMs, programMs } = given;
    const time = new RunTime(runMs + BEGIN_MS, programMs + inputs.length * USUAL_BEGIN_MS);
    return await runInTurn(inputs, { isEnough }, async (stdin) => {
      const input = containerInput(program, stdin);
      const call = await time.spend((ms) => this.#contained(image, input, { ms, runMs, signal: ended }));
      return await verdict(call, () => this.#check());
    });
  }

  /** Whatever happens, nothing of the container is left. */
  async #contained(
    image: string,
    input: Buffer,
    { ms, runMs, signal }: { ms: number; runMs: number; signal: AbortSignal },
  ): Promise<EngineCall> {
    const { engine } = this.#options;
    const name = `quarry-sandbox-${randomBytes(8).toString('hex')}`;
    const launch = {
      name,
      image,
      cpuSeconds: Math.ceil(runMs / 1_000),
      seconds: Math.ceil((runMs + 2 * BEGIN_MS) / 1_000),
    };
    let call: EngineCall | undefined;
    try {
      call = await callEngine(engine, containerArguments(launch), { input, ms, signal });
      return call;
    } finally {
      if (call?.code == null) await callEngine(engine, ['rm', '--force', name], { ms: ENGINE_MS });
    }
  }

  /** Looks once whether engine and image work, and for the id of the image: whoever gives its name to another meanwhile changes nothing. */
  #ready(): Promise<string> {
    this.#image ??= this.#check().catch((error: unknown) => {
      this.#image = undefined; // somebody may start the engine, or fetch the image
      throw error;
    });
    return this.#image;
  }

  /** @throws ENGINE_UNAVAILABLE */
  async #check(): Promise<string> {
    const { engine, image, runMs } = this.#options;
    const answers = await callEngine(engine, ['ps', '--quiet'], { ms: ENGINE_MS });
    if (answers.code !== 0)
      throw unavailable(say('sandbox.engine', { engine, words: lastWords(answers) }), say('sandbox.engine.hint'));
    const found = await callEngine(engine, ['image', 'inspect', '--format', '{{.Id}}', image], { ms: ENGINE_MS });
    if (found.code !== 0)
      throw unavailable(say('sandbox.image', { image }), say('sandbox.image.hint', { engine, image }));
    const id = found.stdout.trim();
    const input = containerInput('print(input())', 'it works');
    const tried = await this.#contained(id, input, { ms: runMs + BEGIN_MS, runMs, signal: this.#closing.signal });
    if (tried.code !== 0 || tried.stdout.trim() !== 'it works')
      throw unavailable(say('sandbox.image.fails', { image, words: lastWords(tried) }), say('sandbox.image.wanted'));
    return id;
  }
}

function unavailable(message: Words, hint: Words): QuarryError {
  return new QuarryError({ code: 'ENGINE_UNAVAILABLE', message, hint });
}

/** @param check whether it is the engine that fails. @throws what that throws: then it is no fault of the program's */
async function verdict(call: EngineCall, check: () => Promise<unknown>): Promise<ProgramRun> {
  if (call.late || call.code === TOO_LONG) return { outcome: 'late' };
  if (call.code === null || OWN_CODES.includes(call.code)) await check();
  if (call.code === null || call.code === KILLED) return { outcome: 'died', reason: say('sandbox.killed') };
  const { stdout, stderr, truncated } = call;
  return { outcome: 'ran', stdout, stderr, truncated };
}
