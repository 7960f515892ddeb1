import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { Download } from '../../../src-preload/contract/models.ts';
import type { NodeClient } from './node-client.ts';
import type { Output } from './output.ts';
import { Progress } from './progress.ts';

/** Shows a download until it ends. Ctrl+C pauses it. */
export async function followDownload(
  node: NodeClient,
  name: string,
  output: Output,
  signal: AbortSignal,
): Promise<Download> {
  const progress = new Progress(name, output);
  try {
    for await (const all of await node.models.watchDownloads(undefined, { signal })) {
      const download = all.find((candidate) => candidate.name === name);
      if (!download) throw cancelled(name);
      progress.show(step(download));
      if (['done', 'failed', 'paused'].includes(download.state)) return download;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    progress.end();
  }
  return await node.models.pause({ name });
}

function step(download: Download) {
  const { received, bytes, bytesPerSecond, secondsLeft, state, sources, problem } = download;
  const from = sources.length > 0 ? `from ${sources.join(', ')}` : undefined;
  const note = state === 'downloading' ? (problem?.message ?? from) : downloadText(download);
  return { done: received, total: bytes, bytesPerSecond, secondsLeft, note };
}

/** Words for a state; for one that waits for the internet, with the seconds until it tries again. */
export function downloadText({ state, nextTryAt }: Download): string {
  if (state !== 'offline') return state;
  if (nextTryAt === null) return 'trying again';
  return `waiting for the internet, next try in ${Math.max(1, Math.ceil((nextTryAt - Date.now()) / 1_000))} s`;
}

function cancelled(name: string): QuarryError {
  return new QuarryError({ code: 'CANCELLED', message: `The download of ${name} was cancelled.` });
}
