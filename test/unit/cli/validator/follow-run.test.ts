import { describe, expect, it } from 'vitest';
import { Changes } from '../../../../src-main/base/changes.ts';
import { watched } from '../../../../src-main/base/watched.ts';
import type { Output } from '../../../../src-main/cli/terminal/output.ts';
import { followRun } from '../../../../src-main/cli/validator/follow-run.ts';
import { say, told } from '../../../../src-preload/contract/saying.ts';
import type { RunStateView } from '../../../../src-preload/contract/validator-run.ts';
import { sampleRun } from '../../../support/screens/sample-validator.ts';
import { until } from '../../../support/until.ts';

const NOBODY: RunStateView = { ...sampleRun, answered: 0, miners: [], minerCount: 0 };

/** A look at a run that stands as the test says. */
function following(patience: { sayAfterMs?: number; endAfterMs?: number }, first: RunStateView) {
  const changes = new Changes();
  const ending = new AbortController();
  const notes: string[] = [];
  const ends: RunStateView[] = [];
  let state = first;
  const output = { json: false, note: (text: string) => notes.push(text) } as unknown as Output;
  const run = async (_: undefined, { signal }: { signal: AbortSignal }) => watched(() => state, changes, signal);
  const end = followRun({ run } as never, {
    ...{ most: 5, output, signal: ending.signal, patience },
    onEnd: (last) => ends.push(last),
  });
  const becomes = (next: RunStateView) => {
    state = next;
    changes.tell();
  };
  return { end, notes, ends, becomes, stop: () => ending.abort() };
}

const isSaid = (notes: readonly string[]) => notes.filter((text) => /nobody to ask.*miner add/.test(text)).length;

describe('a run without anybody to ask', () => {
  it('says so and how to name one, once, and goes on when somebody comes', async () => {
    const look = following({ sayAfterMs: 10 }, NOBODY);
    await until(() => expect(isSaid(look.notes)).toBe(1));
    look.becomes({ ...NOBODY, inFlight: 1 });
    look.becomes({ ...sampleRun, answered: 5 });
    await look.end;
    expect(isSaid(look.notes)).toBe(1);
    expect(look.ends).toMatchObject([{ answered: 5 }]);
  });

  it('is given up where that is wanted', async () => {
    const look = following({ sayAfterMs: 10, endAfterMs: 30 }, NOBODY);
    await expect(look.end).rejects.toMatchObject({ code: 'NO_WORKER', hint: expect.stringContaining('miner add') });
    expect(look.ends).toEqual([]);
  });

  it.each([
    ['somebody is there', { ...sampleRun, answered: 0 }],
    ['something keeps it from finding miners', { ...NOBODY, fault: told({ text: say('validation.axon.noWallet') }) }],
    ['it comes to its end', { ...NOBODY, status: 'stopping' as const }],
  ])('is not what it is where %s', async (_, state) => {
    const look = following({ sayAfterMs: 5, endAfterMs: 10 }, state);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(isSaid(look.notes)).toBe(0);
    look.stop();
    await look.end;
    expect(look.ends).toHaveLength(1);
  });
});
