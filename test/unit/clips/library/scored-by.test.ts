import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ScoredBy } from '../../../../src-main/clips/library/scored-by.ts';
import type { SpaceThresholds } from '../../../../src-main/clips/models/space-thresholds.ts';

const measured: SpaceThresholds = { same: 0.9, novel: 0.1, unrelated: 0.05, closest: 0.2 };

it('has all clips scored anew once where the thresholds are others, and again where that was ended amid it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'quarry-scored-by-'));
  let [thresholds, times]: [SpaceThresholds | null, number] = [null, 0];
  let fails: Error | undefined;
  /** As after a start. */
  const opened = () =>
    new ScoredBy({
      file: join(folder.path, 'scored-by.json'),
      thresholds: () => thresholds,
      scoreAnew: async () => {
        times++;
        if (fails) throw fails;
      },
    });
  await opened().look();
  await opened().look();
  expect(times).toBe(1); // nobody had kept yet by what they were scored
  thresholds = measured;
  fails = new Error('killed');
  await expect(opened().look()).rejects.toThrow('killed');
  fails = undefined;
  const later = opened();
  await Promise.all([later.look(), later.look()]);
  expect(times).toBe(3);
  thresholds = { ...measured, same: 0.91 };
  await later.look();
  expect(times).toBe(4);
});
