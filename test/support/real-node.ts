import { join } from 'node:path';
import OpenAI from 'openai';
import { Agent, fetch as undiciFetch } from 'undici';
import { QuarryProcess, temporaryFolder } from './quarry-process.ts';

/** A node of its own that serves one model, and OpenAI's client on its door. */
export interface RealNode extends AsyncDisposable {
  client: OpenAI;
}

/** On a busy machine an answer that comes in one piece may take longer than the five minutes that `fetch` waits for its first byte. */
const patient = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
const PATIENT_MS = 3_600_000;
const patientFetch = ((url: string, init: object) =>
  undiciFetch(url, { ...init, dispatcher: patient })) as unknown as typeof fetch;

/**
 * Starts `quarry start` with one thread.
 * @param parallel requests at a time. Default 1: then sums come out alike each time
 */
export async function startRealNode(modelPath: string, contextSize: number, parallel = 1): Promise<RealNode> {
  const folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  const node = new QuarryProcess(
    [
      'start',
      '--headless',
      '--mine',
      '--data',
      data,
      '--bootstrap',
      '127.0.0.1:9',
      '--port',
      '0',
      '--model',
      modelPath,
    ],
    { QUARRY_PARALLEL: String(parallel), QUARRY_GPU_LAYERS: '0', QUARRY_CONTEXT_SIZE: String(contextSize) },
  );
  const [, url = ''] = await node.printed(/api +(http:\S+)/);
  await node.printed(/Ready/);
  return {
    client: new OpenAI({ baseURL: url, apiKey: 'none', maxRetries: 0, timeout: PATIENT_MS, fetch: patientFetch }),
    async [Symbol.asyncDispose]() {
      await node.stop();
      await folder.remove();
    },
  };
}
