import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BenchEvaluateOptions, benchEvaluate } from '../../../../src-main/bench/evaluation/evaluate.ts';
import { TINY_QWEN3, writeRandomModel } from '../../../../src-main/bench/made-models/random-model.ts';

let folder: string;
let model: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-bench-test-'));
  model = join(folder, 'tiny.gguf');
  await writeRandomModel(model, TINY_QWEN3, 1);
});
afterEach(() => rm(folder, { recursive: true }));

async function measured(options: BenchEvaluateOptions) {
  const events = await Array.fromAsync(benchEvaluate(options));
  const rows = events.flatMap((event) => (event.type === 'row' ? [event.row] : []));
  return { rows, notes: events.flatMap((event) => (event.type === 'note' ? [event.text] : [])) };
}

it('measures the harness beside the engine, reading beside another loop, and answers summed up', async () => {
  const { rows, notes } = await measured({ model, runs: 2, lengths: [512, 8_192], answers: 5_000 });
  expect(rows.map(({ case: what, unit, goal, peerName }) => [what, unit, goal, peerName])).toEqual([
    ['questions about 1k tokens', 'tokens/s', '≥ 0.97', 'the engine without the harness'],
    ['reading 512 tokens', 'tokens/s', '≥ 0.95', 'node-llama-cpp’s own loop (no llama-bench given)'],
    ['5,000 answers summed up', 's', '< 1', null],
  ]);
  for (const { ours, runs } of rows) {
    expect(ours).toBeGreaterThan(0);
    expect(runs.ours).toHaveLength(2);
  }
  expect(notes).toContain('Left out: 8,192 tokens, as the model is made for 4,096.');
});

it('reads beside llama-bench where that is given', async () => {
  const program = join(folder, 'llama-bench');
  await writeFile(program, '#!/bin/sh\necho "[{\\"n_prompt\\": $4, \\"avg_ts\\": 123.5}]"\n');
  await chmod(program, 0o755);
  const { rows } = await measured({ model, runs: 1, lengths: [512], only: 'reading', llamaBench: program });
  expect(rows.map(({ peerName, peer }) => [peerName, peer])).toEqual([['llama-bench', 123.5]]);
});
