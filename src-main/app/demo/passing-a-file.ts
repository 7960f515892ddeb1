import type { DemoNode } from './demo-node.ts';
import { lookFor } from './pace.ts';
import type { DemoScene } from './scenes.ts';
import type { Stage } from './stage.ts';

/** Milliseconds in which a file should be hashed, and ready for others. */
const READY_MS = 120_000;
/** Milliseconds in which one that joins the models network should have heard of it. */
const MEETING_MS = 60_000;

/** A node asks its peers for a file by its hash, gets it from the main worker, and looks whether it is the one. Then it goes again. */
export async function* passAFile(stage: Stage, to: DemoNode, signal: AbortSignal): AsyncGenerator<DemoScene> {
  const { main } = stage;
  const offered = await offer(stage, signal);
  await stage.bring(to, { sharing: true });
  const { desk, downloads } = to.app.models;
  const heard = () => to.app.sharing?.sharing.offers().find(({ sha256 }) => sha256 === offered.sha256);
  await lookFor(heard, { ms: MEETING_MS, signal });
  const began = Date.now();
  const { name } = await desk.pull({ sha256: offered.sha256, from: 'peers', trust: true }, signal);
  await downloads.finished(name, signal);
  const ms = Date.now() - began;
  const { sha256, bytes } = await to.app.library.find(name);
  yield { type: 'file', from: main.name, to: to.name, name, bytes, sha256, ms };
  await desk.remove(name);
}

/** What the main worker shares, as soon as it is ready. */
async function offer({ main, model }: Stage, signal: AbortSignal) {
  const { shares } = main.app.models;
  await shares.share(model.sharedFile);
  const shared = await lookFor(() => shares.view().models.find(({ state }) => state !== 'preparing'), {
    ms: READY_MS,
    signal,
  });
  if (shared?.state !== 'shared') throw new Error(shared?.problem ?? 'The file was not ready for others in time.');
  return shared;
}
