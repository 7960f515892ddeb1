import { fileURLToPath } from 'node:url';
import { type UtilityProcess, utilityProcess } from 'electron';
import { type BindingTestNews, type BindingTestOrder, bindingTestOrderSchema } from './remote-tests.ts';

/** GPU builds that may be tried at a time; node-llama-cpp tries one after the other. */
const MAX_TESTS = 4;

/** Main's side of {@link bindingTestOrderSchema}: starts that one module and no other, whatever the child says. A resource. */
export class BindingTests {
  readonly #tell: (news: BindingTestNews) => void;
  readonly #env: Readonly<Record<string, string>>;
  readonly #tests = new Map<number, UtilityProcess>();

  /** @param env what the child that asks has of the environment */
  constructor(tell: (news: BindingTestNews) => void, env: Readonly<Record<string, string>>) {
    this.#tell = tell;
    this.#env = env;
  }

  /** @returns whether the message was meant for this */
  take(message: unknown): boolean {
    if (typeof message !== 'object' || message === null || !('bindingTest' in message)) return false;
    const { data: order } = bindingTestOrderSchema.safeParse(message);
    if (order) this.#obey(order);
    return true;
  }

  close(): void {
    for (const test of this.#tests.values()) test.kill();
    this.#tests.clear();
  }

  #obey({ bindingTest: id, order, message }: BindingTestOrder): void {
    const running = this.#tests.get(id);
    if (order === 'start' && !running && this.#tests.size < MAX_TESTS) this.#start(id);
    if (order === 'send') running?.postMessage(message);
    if (order === 'kill') running?.kill();
  }

  #start(id: number): void {
    const test = utilityProcess.fork(testModule(), [], {
      env: { ...this.#env, TEST_BINDING_CP: 'true' },
      stdio: 'ignore',
      serviceName: 'Quarry engine test',
    });
    this.#tests.set(id, test);
    test.on('message', (message: unknown) => this.#tell({ bindingTest: id, news: 'message', message }));
    test.once('exit', (code) => {
      this.#tests.delete(id);
      this.#tell({ bindingTest: id, news: 'exit', message: undefined, code });
    });
  }
}

function testModule(): string {
  return fileURLToPath(new URL('bindings/utils/testBindingBinary.js', import.meta.resolve('node-llama-cpp')));
}
