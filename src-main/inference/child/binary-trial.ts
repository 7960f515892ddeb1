import childProcess, { type ChildProcess, type Serializable } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';

/** What node-llama-cpp (pinned, see addon.ts) starts a process of. */
const TRIAL = /[\\/]testBindingBinary\.js$/;

/**
 * On Linux, node-llama-cpp tries its binary in another process before it loads it: one that cannot run here would end the process
 * that loads it. The engine child is such a process, and its parent is told how it ended. So the binary for processors, which
 * nothing could replace, is loaded at once, which is two fifths of the engine's start. Those for GPUs are tried as ever: when one
 * fails, there is another.
 *
 * @returns how to have `fork` as it was
 */
export function trustProcessorBinary(): () => void {
  const { fork } = childProcess;
  const instead = (file: string | URL, ...rest: never[]) =>
    TRIAL.test(String(file)) ? new Trial(() => fork(file, ...rest)) : fork(file, ...rest);
  setFork(instead as unknown as typeof fork);
  return () => setFork(fork);
}

function setFork(fork: typeof childProcess.fork): void {
  childProcess.fork = fork;
  syncBuiltinESMExports();
}

type Message =
  | { type: 'ready' }
  | { type: 'start'; gpu: false | string }
  | { type: 'loaded' | 'test' | 'done' | 'exit' };

/** The process of a trial: one that says yes where there is no GPU in question, else a real one. */
class Trial extends EventEmitter {
  exitCode: number | null = null;
  readonly #begin: () => ChildProcess;
  #real: ChildProcess | undefined;

  constructor(begin: () => ChildProcess) {
    super();
    this.#begin = begin;
    this.#say({ type: 'ready' });
  }

  send(message: Message & Serializable): void {
    if (this.#real) this.#real.send(message);
    else if (message.type === 'exit') this.#end(0);
    else if (message.type === 'test') this.#say({ type: 'done' });
    else if (message.type === 'start' && message.gpu === false) this.#say({ type: 'loaded' });
    else this.#tryForReal(message);
  }

  kill(signal: NodeJS.Signals): void {
    this.#real?.kill(signal);
  }

  #tryForReal(start: Message & Serializable): void {
    const real = this.#begin();
    this.#real = real;
    real.on('message', (message: Message) => {
      if (message.type === 'ready') real.send(start);
      else this.emit('message', message);
    });
    real.on('exit', (code) => this.#end(code));
  }

  #say(message: Message): void {
    setImmediate(() => this.emit('message', message));
  }

  #end(code: number | null): void {
    this.exitCode = code;
    this.emit('exit', code);
  }
}
