import { join } from 'node:path';
import OpenAI from 'openai';
import { QuarryProcess, temporaryFolder } from './quarry-process.ts';

/** A node of its own that serves one model, and OpenAI's client on its door. */
export interface RealNode extends AsyncDisposable {
  client: OpenAI;
}

/** Starts `quarry start` with one request at a time and one thread: then sums come out alike each time. */
export async function startRealNode(modelPath: string, contextSize: number): Promise<RealNode> {
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
    { QUARRY_PARALLEL: '1', QUARRY_GPU_LAYERS: '0', QUARRY_CONTEXT_SIZE: String(contextSize) },
  );
  const [, url = ''] = await node.printed(/api +(http:\S+)/);
  await node.printed(/Ready/);
  return {
    client: new OpenAI({ baseURL: url, apiKey: 'none', maxRetries: 0 }),
    async [Symbol.asyncDispose]() {
      await node.stop();
      await folder.remove();
    },
  };
}
