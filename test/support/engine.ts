import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { GenerateEvent, GenerateOptions, InferenceBackend } from '../../src-main/inference/backend.ts';
import { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import type { LocalBackendOptions } from '../../src-main/inference/host/local-options.ts';
import type { GenerateResult } from '../../src-preload/contract/inference.ts';
import type { GenerateRequest } from '../../src-preload/contract/request.ts';

export const TINY_MODEL = fileURLToPath(new URL('../../resources/tiny.gguf', import.meta.url));

/** The real engine with the built-in model, one thread; not opened yet. */
export function tinyEngine(options: Partial<LocalBackendOptions> = {}): LocalBackend {
  return new LocalBackend({
    modelPath: TINY_MODEL,
    log: pino({ level: 'silent' }),
    threads: 1,
    gpuLayers: 0,
    contextSize: 1024,
    ...options,
  });
}

/** An engine's speed at which an answer of 1,000 tokens takes half a minute. */
export const SLOW = 0.05;

/** Everything that a request gives. */
export async function events(
  engine: InferenceBackend,
  request: GenerateRequest,
  options?: GenerateOptions,
): Promise<GenerateEvent[]> {
  return Array.fromAsync(engine.generate(request, options));
}

/**
 * Goes on until its 1,000 tokens are full: nothing shorter is the JSON that it asks for. That is two seconds: a test that wants to meet it
 * amid its answer makes the engine {@link SLOW}, or a busy machine comes too late.
 */
export const ENDLESS: GenerateRequest = {
  input: { prompt: 'A' },
  maxTokens: 1_000,
  jsonSchema: { type: 'array', items: { type: 'string' }, minItems: 1_000 },
};

/** Only the result. */
export async function generate(
  engine: InferenceBackend,
  request: GenerateRequest,
  options?: GenerateOptions,
): Promise<GenerateResult> {
  const last = (await events(engine, request, options)).at(-1);
  if (last?.type !== 'done') throw new Error('The engine ended without a result.');
  return last.result;
}

/** Whether a process with this id runs. One that only waits for its parent to see its end does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false; // there is no such process
  }
}
