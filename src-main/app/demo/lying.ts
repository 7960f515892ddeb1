import { Liar } from './liar.ts';
import { lookFor } from './pace.ts';
import type { DemoScene } from './scenes.ts';
import type { Stage } from './stage.ts';

/** One name for all of them: each has another key. */
const NAME = 'mallory';
const CLAIMED = 10_000;
const RECEIPTS = 3;
/** Milliseconds in which it should have met everybody, and in which they should have read its log. */
const MEETING_MS = 30_000;
const READING_MS = 60_000;

/** Somebody comes, claims to be a master, and is found out by all who read its log. */
export async function* lie(stage: Stage, signal: AbortSignal): AsyncGenerator<DemoScene> {
  const { folder, bootstrap, everybody, main } = stage;
  await using liar = new Liar({ folder, bootstrap: [bootstrap], log: main.app.log });
  await liar.open();
  const ids = everybody.map(({ id }) => id);
  await lookFor(() => liar.hasMet(ids) || undefined, { ms: MEETING_MS, signal });
  await liar.makeUp(RECEIPTS);
  await liar.claim(CLAIMED);
  const marks = () =>
    everybody.flatMap(({ name, app }) => {
      const mark = app.mesh?.scores.marks().find(({ worker }) => worker === liar.id);
      return mark ? [{ name, detail: mark.detail }] : [];
    });
  await lookFor(() => marks().length === everybody.length || undefined, { ms: READING_MS, signal });
  const found = marks();
  if (signal.aborted) return;
  if (found.length === 0) throw new Error('Nobody has found the liar out.');
  const foundBy = found.map(({ name }) => name);
  yield { type: 'liar', name: NAME, claimed: CLAIMED, detail: found[0]?.detail ?? '', foundBy };
}
