import { foreignLine } from '../../../base/foreign-text.ts';
import { ARENA_BYTES, type Arena, type BufferName } from './arena.ts';
import { ARENA_PAGES } from './limits.ts';
import type { WrongPlace } from './verdict.ts';

/** What is wrong with a kernel, as the process that it runs in tells it. */
export type FoundFault =
  | { fault: 'imports' }
  | { fault: 'memory' }
  | { fault: 'tampers' }
  | { fault: 'exports'; missing: 'memory' | 'step' }
  | { fault: 'traps'; error: string }
  | { fault: 'late'; pairs: number; ms: number }
  | { fault: 'wrong'; place: WrongPlace };

/** A kernel did what it must not. */
export class KernelError extends Error {
  readonly found: FoundFault;

  constructor(found: FoundFault) {
    super(found.fault);
    this.found = found;
  }
}

/** The baseline did what it must not: that says nothing about the kernel beside it. */
export class BaselineError extends Error {
  readonly found: FoundFault;

  constructor(found: FoundFault) {
    super(found.fault);
    this.found = found;
  }
}

/** @throws {@link BaselineError} in the place of a {@link KernelError} */
export function ofBaseline<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof KernelError ? new BaselineError(error.found) : error;
  }
}

/** Addresses of q, k, v, g, the state and the output; tokens, key channels, value channels. */
type Numbers = [number, number, number, number, number, number, number, number, number];
const NUMBERS = 9;
type Step = (...numbers: Numbers) => void;

/** A kernel in a memory of its own, with the judge’s arena behind what it has there at its start. */
export class KernelInstance {
  readonly #memory: WebAssembly.Memory;
  readonly #buffer: ArrayBuffer;
  readonly #step: Step;
  /** Where the arena begins. */
  readonly #from: number;
  readonly #arena: Uint8Array<ArrayBuffer>;

  /** Compiles and starts it: in a process that may die of that. @throws {@link KernelError} */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    const { memory, step } = started(bytes);
    this.#memory = memory;
    this.#step = step;
    this.#from = memory.buffer.byteLength;
    trying(() => memory.grow(ARENA_PAGES));
    this.#buffer = memory.buffer;
    this.#arena = new Uint8Array(this.#buffer, this.#from, ARENA_BYTES);
  }

  /**
   * One call, with all that the image of the arena holds; what it has written is in the image then.
   * @returns milliseconds of the call alone
   * @throws {@link KernelError} where it fails, or has written anywhere but to `out` and `state`
   */
  call(arena: Arena, tokens: number, dk: number, dv: number, state: 'state' | 'otherState' = 'state'): number {
    const { image } = arena;
    this.#arena.set(image);
    const at = (name: BufferName) => this.#from + arena.place(name);
    const ms = this.#timed([at('q'), at('k'), at('v'), at('g'), at(state), at('out'), tokens, dk, dv]);
    if (this.#memory.buffer !== this.#buffer) throw new KernelError({ fault: 'memory' });
    this.#takeOver(arena, 'out', tokens * dv);
    this.#takeOver(arena, state, dk * dv);
    if (Buffer.compare(this.#arena, image) !== 0) throw new KernelError({ fault: 'tampers' });
    return ms;
  }

  /** The clock is read as close to the call as can be. */
  #timed([q, k, v, g, state, out, tokens, dk, dv]: Numbers): number {
    const step = this.#step;
    try {
      const from = performance.now();
      step(q, k, v, g, state, out, tokens, dk, dv);
      return performance.now() - from;
    } catch (error) {
      throw trapped(error);
    }
  }

  #takeOver(arena: Arena, name: BufferName, floats: number): void {
    const from = arena.place(name);
    arena.image.set(this.#arena.subarray(from, from + floats * Float32Array.BYTES_PER_ELEMENT), from);
  }
}

function started(bytes: Uint8Array<ArrayBuffer>): { memory: WebAssembly.Memory; step: Step } {
  const { exports } = trying(() => {
    const module = new WebAssembly.Module(bytes);
    if (WebAssembly.Module.imports(module).length > 0) throw new KernelError({ fault: 'imports' });
    return new WebAssembly.Instance(module);
  });
  const { memory, step } = exports;
  if (!(memory instanceof WebAssembly.Memory)) throw new KernelError({ fault: 'exports', missing: 'memory' });
  if (typeof step !== 'function' || step.length !== NUMBERS)
    throw new KernelError({ fault: 'exports', missing: 'step' });
  return { memory, step: step as Step };
}

/** What WebAssembly throws, in as many words as are shown; names of the module’s choosing are in it. */
const MOST_CHARS = 200;

function trying<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof KernelError || isOutOfRoom(error)) throw error;
    throw trapped(error);
  }
}

/** No memory for it beside another kernel’s is no trap of its own: the process ends of it, and whoever watches looks whether the baseline fares better. */
const isOutOfRoom = (error: unknown) => error instanceof RangeError && /memory/i.test(error.message);

const trapped = (error: unknown) =>
  new KernelError({ fault: 'traps', error: foreignLine(String((error as Error).message)).slice(0, MOST_CHARS) });
