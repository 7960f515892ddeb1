import { EventEmitter } from 'node:events';
import { z } from 'zod';

/**
 * node-llama-cpp tries a GPU build of llama.cpp in a process of its own before it loads it. Electron's utility processes
 * cannot start one, so the engine child asks main to, with these messages beside its own.
 */
export const bindingTestOrderSchema = z.strictObject({
  bindingTest: z.int().min(0).max(1_000),
  order: z.enum(['start', 'send', 'kill']),
  message: z.unknown(),
});
export type BindingTestOrder = z.infer<typeof bindingTestOrderSchema>;

/** What main tells about a test. */
export const bindingTestNewsSchema = z.strictObject({
  bindingTest: z.int(),
  news: z.enum(['message', 'exit']),
  message: z.unknown(),
  code: z.int().optional(),
});
export type BindingTestNews = z.infer<typeof bindingTestNewsSchema>;

/** A process that main runs for this one: as much of Electron's UtilityProcess as node-llama-cpp uses. */
class RemoteTest extends EventEmitter<{ message: [unknown]; exit: [number] }> {
  readonly #order: (order: BindingTestOrder['order'], message?: unknown) => void;

  constructor(order: (order: BindingTestOrder['order'], message?: unknown) => void) {
    super();
    this.#order = order;
    order('start');
  }

  postMessage(message: unknown): void {
    this.#order('send', message);
  }

  kill(): boolean {
    this.#order('kill');
    return true;
  }
}

/** The engine child's side of the binding tests: stands in for Electron's `utilityProcess`. */
export class RemoteTests {
  readonly #tell: (order: BindingTestOrder) => void;
  readonly #tests = new Map<number, RemoteTest>();
  #count = 0;

  constructor(tell: (order: BindingTestOrder) => void) {
    this.#tell = tell;
  }

  /** Which module to run is for main to say. */
  fork(): RemoteTest {
    const id = this.#count++;
    const test = new RemoteTest((order, message) => this.#tell({ bindingTest: id, order, message }));
    this.#tests.set(id, test);
    return test;
  }

  /** What main tells about one of them. */
  hear({ bindingTest: id, news, message, code = 1 }: BindingTestNews): void {
    const test = this.#tests.get(id);
    if (news === 'message') return void test?.emit('message', message);
    this.#tests.delete(id);
    test?.emit('exit', code);
  }
}
