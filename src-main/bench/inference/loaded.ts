import { pino } from 'pino';
import { LocalBackend } from '../../inference/host/local-backend.ts';
import { loadOptions } from '../../inference/host/local-options.ts';
import { LlamaServer } from './llama-server.ts';
import { RawLoopProcess } from './raw-loop-process.ts';

export interface LoadedOptions {
  model: string;
  threads: number;
  /** Requests decoded together. */
  parallel: number;
  /** Tokens of one request. */
  contextSize: number;
  /** The peer’s program. Default: there is no peer. */
  llamaServer?: string | undefined;
  /** Ends all sides. */
  signal?: AbortSignal | undefined;
}

/** The same model on all sides, on the processor. */
export interface Loaded extends AsyncDisposable {
  engine: LocalBackend;
  raw: RawLoopProcess;
  /** Undefined where there is no such program. */
  server: LlamaServer | undefined;
}

/** Loads the model on all sides; the engine measures how many it decodes together, as a node does when it has nothing to do. */
export async function loadedSides({ model, llamaServer: program, signal, ...shared }: LoadedOptions): Promise<Loaded> {
  const opened = new AsyncDisposableStack();
  signal?.addEventListener('abort', () => void opened.disposeAsync(), { once: true });
  const options = { modelPath: model, log: pino({ level: 'silent' }), gpuLayers: 0, ...shared };
  const engine = opened.adopt(new LocalBackend(options), (one) => one.close());
  const raw = opened.adopt(new RawLoopProcess(), (one) => one.close());
  const server = program === undefined ? undefined : new LlamaServer({ program, model, ...shared });
  opened.defer(() => server?.close());
  try {
    await engine.open();
    engine.useDecodeCosts(await engine.measureDecoding());
    await raw.open(loadOptions(options));
    await server?.open();
    return { engine, raw, server, [Symbol.asyncDispose]: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
