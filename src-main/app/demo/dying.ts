import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { longQuestion } from './asking.ts';
import type { DemoNode } from './demo-node.ts';
import { lookFor, pause } from './pace.ts';
import type { DeathScene, DemoScene } from './scenes.ts';
import type { Stage } from './stage.ts';

/** One more than a worker answers at a time: so the client takes one to another worker. */
const AT_ONCE = 3;
/** Long enough to be in the middle of. */
const TOKENS = 400;
/** An answer may end before its worker does: so often it is tried again. */
const ATTEMPTS = 10;
/** Milliseconds in which an engine that died by itself is there again. */
const BACK_MS = 30_000;

/** The engine beside the main worker is killed while it answers. The client gets its answer from another worker; the node goes. */
export async function* dieInTheMiddle(stage: Stage, client: DemoNode, signal: AbortSignal): AsyncGenerator<DemoScene> {
  const victim = stage.second;
  if (!victim) return;
  for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted; attempt++) {
    const death = await killOnce(stage, { victim, client }, signal);
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
async function killOnce(
  stage: Stage,
  { victim, client }: { victim: DemoNode; client: DemoNode },
  signal: AbortSignal,
): Promise<DeathScene | undefined> {
  const { slot } = victim.app.engine ?? {};
  await lookFor(() => slot?.status().state === 'ready' || undefined, { ms: BACK_MS, signal });
  let killed = false;
  const kill = () => {
    const pid = slot?.current?.engine?.pid;
    if (killed || pid === undefined) return;
    killed = process.kill(pid, 'SIGKILL');
  };
  const asked = Array.from({ length: AT_ONCE }, () => askAndKill(stage, { victim, client }, kill, signal));
  const deaths = await Promise.allSettled(asked);
  return deaths.map((ended) => (ended.status === 'fulfilled' ? ended.value : undefined)).find(Boolean);
}

/** @param kill called with the first piece of the victim's answer. @returns undefined when it was not hit */
async function askAndKill(
  stage: Stage,
  { victim, client }: { victim: DemoNode; client: DemoNode },
  kill: () => void,
  signal: AbortSignal,
): Promise<DeathScene | undefined> {
  let worker = '';
  let lost: { reason: string; at: number } | undefined;
  for await (const event of longQuestion(stage, client, TOKENS, signal)) {
    if (event.type === 'worker') worker = event.worker;
    if (event.type === 'chunk' && worker === victim.id) kill();
    if (event.type === 'restart' && event.worker === victim.id) lost = { reason: event.reason, at: Date.now() };
  }
  if (!lost || worker === victim.id) return undefined;
  const { reason, at } = lost;
  const ms = Date.now() - at;
  return { type: 'death', worker: victim.name, client: client.name, reason, by: stage.nameOf(worker), ms };
}
