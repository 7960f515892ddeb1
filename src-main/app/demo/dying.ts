import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type CrowdQuestion, crowd, slowly } from './crowd.ts';
import type { DemoNode } from './demo-node.ts';
import { lookFor, pause } from './pace.ts';
import type { DeathScene, DemoScene } from './scenes.ts';
import type { Stage } from './stage.ts';

/** An answer may end before its worker does: so often it is tried again. */
const ATTEMPTS = 5;
/** Milliseconds in which an engine that died by itself is there again. */
const BACK_MS = 30_000;

/**
 * Many ask, and the engine beside the main worker is killed while it answers one of them. Who asked gets the answer from another
 * worker; the node goes.
 */
export async function* dieInTheMiddle(stage: Stage, signal: AbortSignal): AsyncGenerator<DemoScene> {
  const victim = stage.second;
  if (!victim) return;
  for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted; attempt++) {
    const death = await killOnce(stage, victim, signal);
    if (!death) continue;
    await stage.closeSecond();
    yield death;
    return;
  }
  if (!signal.aborted) throw new QuarryError({ code: 'INTERNAL', message: `${victim.name} would not die.` });
}

/** The next friend serves in the place of the one that has gone, who comes back later and only asks. */
export async function* takeThePlace(stage: Stage, gone: DemoNode | undefined, signal: AbortSignal) {
  await pause(stage.pace.emptyMs, signal);
  if (signal.aborted) return;
  const next = await stage.serveNext();
  yield { type: 'post' as const, worker: next.name, before: gone?.name };
  if (gone && !gone.isHere) await stage.bring(gone);
}

/** @returns undefined when nobody was hit */
async function killOnce(stage: Stage, victim: DemoNode, signal: AbortSignal): Promise<DeathScene | undefined> {
  const { slot } = victim.app.engine ?? {};
  await lookFor(() => slot?.status().state === 'ready' || undefined, { ms: BACK_MS, signal });
  using slow = slowly(stage);
  let killed = false;
  const kill = () => {
    const pid = slot?.current?.engine?.pid;
    if (killed || pid === undefined) return;
    killed = process.kill(pid, 'SIGKILL');
    slow[Symbol.dispose](); // the others need not wait for long
  };
  const asked = (await crowd(stage, signal)).map((question) => readAndKill(stage, question, { victim, kill }));
  const ends = await Promise.allSettled(asked);
  return ends.map((end) => (end.status === 'fulfilled' ? end.value : undefined)).find(Boolean);
}

/** @param at `kill` is called with the first piece of the victim's answer. @returns undefined when this answer was not hit */
async function readAndKill(
  stage: Stage,
  { client, events }: CrowdQuestion,
  at: { victim: DemoNode; kill: () => void },
): Promise<DeathScene | undefined> {
  const victim = at.victim.id;
  let worker = '';
  let begun = false;
  let lost: { reason: string; at: number } | undefined;
  for await (const event of events) {
    if (event.type === 'worker') worker = event.worker;
    if (event.type === 'chunk' && worker === victim) {
      begun = true;
      at.kill();
    }
    // One that the victim only refused has lost nothing.
    if (event.type === 'restart' && event.worker === victim && begun) lost = { reason: event.reason, at: Date.now() };
  }
  if (!lost || worker === victim) return undefined;
  const ms = Date.now() - lost.at;
  const names = { worker: at.victim.name, client: client.name, by: stage.nameOf(worker) };
  return { type: 'death', ...names, reason: lost.reason, ms };
}
