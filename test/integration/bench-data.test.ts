/** @module-tag long */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { seededRandom } from '../../src-main/base/seeded-random.ts';
import { benchData } from '../../src-main/bench/data/data.ts';
import type { BenchRow } from '../../src-main/bench/row.ts';
import { findMediaTool } from '../../src-main/clips/media/find-media-tool.ts';
import { writeFilm } from '../support/fake-world/film.ts';
import { randomScene } from '../support/fake-world/scene.ts';
import { tinyModelFolder } from '../support/tiny-clip-models.ts';

const hasFfmpeg = !('lacks' in (await findMediaTool()));

it.skipIf(!hasFfmpeg)('mining is measured beside bare ffmpeg, with what takes its time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-data-'));
  try {
    for (const [at, format] of (['mp4', 'webm'] as const).entries()) {
      const shots = [{ scene: randomScene(seededRandom(at)), seconds: 7 }];
      await writeFilm(join(folder, `${at}.${format}`), { shots, sound: null, width: 160, height: 120, format });
    }
    const rows: BenchRow[] = [];
    const models = dirname(tinyModelFolder('tiny-pictures'));
    for await (const event of benchData({ only: 'mining', folder, models, runs: 1 }))
      if (event.type === 'row') rows.push(event.row);
    expect(rows.map((row) => [row.case, row.unit, row.peerName])).toEqual([
      ['all of mining, 2 clips', 'clips/min', 'bare ffmpeg'],
      ...['models', 'media', 'database'].map((part) => [`mining: share of ${part}`, 'of the time', null]),
    ]);
    const [all, ...shares] = rows;
    expect(all?.ratio).toBeGreaterThan(0);
    for (const { ours } of shares) expect(ours).toBeGreaterThan(0);
    expect(shares.reduce((sum, { ours }) => sum + ours, 0)).toBeLessThanOrEqual(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.runIf(!hasFfmpeg)('skipped: there is no ffmpeg', () => undefined);
