import { describe, expect, it } from 'vitest';
import { drawBatch, leastAtStop, leastBatch } from '../../../../src-main/clips/dataset/batch-size.ts';

describe('how many rows a file gets', () => {
  it('is drawn from a batch and half of it, and never more than a file may have', () => {
    expect([drawBatch('videos', 0), drawBatch('videos', 0.49), drawBatch('videos', 0.5)]).toEqual([512, 512, 1_024]);
    expect([drawBatch('sounds', 0), drawBatch('sounds', 0.999)]).toEqual([128, 128]); // OMEGA draws 256, of which only 128 may wait
  });

  it('is at the least what can be drawn, but for a node that stops', () => {
    expect([leastBatch('videos'), leastBatch('sounds')]).toEqual([512, 128]);
    expect([leastAtStop('videos'), leastAtStop('sounds')]).toEqual([32, 8]);
  });
});
