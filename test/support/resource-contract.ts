import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/** What lives long: see docs/architecture.md, rule 3. */
export interface Resource {
  open(): Promise<void> | void;
  close(): Promise<void> | void;
}

export interface ResourceContract {
  /** Makes one that is not open. `undo` is run after each test, the last one first: for what the resource stands on. */
  make: (undo: (step: () => Promise<void> | void) => void) => Promise<Resource> | Resource;
  /** Whether the same one may be opened again after it was closed. Default false: `make` makes another. */
  reopens?: boolean;
}

const LOOK_MS = 20;
const LOOKS = 10;

/** Every long-lived thing: opened and closed any number of times, in any order, and nothing is left of it. */
export function resourceContract(name: string, { make, reopens = false }: ResourceContract): void {
  describe(`${name} as a resource`, () => {
    const undone: (() => Promise<void> | void)[] = [];
    const makeOne = () => make((step) => undone.push(step));
    const undo = async () => {
      for (const step of undone.splice(0).reverse()) await step();
    };
    afterEach(undo);

    it('opens once, however often it is asked to, and closes once', async () => {
      const resource = await makeOne();
      await Promise.all([resource.open(), resource.open()]);
      await resource.open();
      await Promise.all([resource.close(), resource.close()]);
      await resource.close();
    });

    it('can be closed before it was ever opened', async () => {
      await (await makeOne()).close();
    });

    it('leaves no handle, no child and no timer behind', async () => {
      await openAndClose(await makeOne()); // what is loaded once stays
      await undo();
      const atFirst = await mostHeld();
      const resource = await makeOne();
      const before = await mostHeld();
      await openAndClose(resource);
      if (reopens) await openAndClose(resource);
      // A swarm that has been used once goes on announcing itself: timers are counted when what it stood on is gone too.
      expect(await leftSince(before, ['Timeout'])).toEqual([]);
      await undo();
      expect(await leftSince(atFirst)).toEqual([]);
    });
  });
}

async function openAndClose(resource: Resource): Promise<void> {
  await resource.open();
  await resource.close();
}

/** What keeps this process alive, its timers among it, and on Linux every open file and socket and every child. */
export function held(): string[] {
  return [...process.getActiveResourcesInfo(), ...openFiles(), ...children()];
}

/** What is held at one moment or another: what a resource stands on (a swarm, a database) has timers that come and go. */
async function mostHeld(): Promise<string[]> {
  const most = held();
  for (let look = 0; look < LOOKS; look++) {
    await sleep(LOOK_MS);
    most.push(...without(held(), most));
  }
  return most;
}

/** What is held now and was not before, but for kinds that do not count, once it had time to go: nothing waits so long unless it stays. */
export async function leftSince(before: readonly string[], uncounted: readonly string[] = []): Promise<string[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = without(held(), before).filter((one) => !uncounted.includes(one));
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(LOOK_MS);
  }
}

function without(now: readonly string[], before: readonly string[]): string[] {
  const known = [...before];
  return now.filter((one) => {
    const place = known.indexOf(one);
    if (place >= 0) known.splice(place, 1);
    return place < 0 && !PASSING.includes(one);
  });
}

/** Work of an instant, the look itself among it. */
const PASSING = ['FSReqCallback', 'FSReqPromise', 'Immediate', 'TickObject'];

function openFiles(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      return target.startsWith('/proc/') ? [] : [target.replace(/:\[\d+\]$/, '')];
    } catch {
      return []; // the folder itself, which was open for the look
    }
  });
}

function children(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/task').flatMap((task) => childrenOf(task).map((pid) => `child ${pid}`));
}

function childrenOf(task: string): string[] {
  try {
    return readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
  } catch {
    return []; // the thread is gone, or this kernel has no such file
  }
}
