import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { logText } from '../../../../src-main/cli/logs.ts';
import { detailRows } from '../../../../src-main/cli/models/show.ts';
import { type NodeRow, nodeTable } from '../../../../src-main/cli/node/nodes.ts';
import type { ModelDetails } from '../../../../src-preload/contract/models.ts';

describe('quarry ps', () => {
  const model = { name: 'qwen3-4b', device: 'cuda', contextSize: 8_192, parallel: 4, gpuLayers: 37, tiny: false };
  const busy: NodeRow = {
    ...{ dataDir: '/srv/quarry', pid: 42, startedAt: 0, url: 'http://127.0.0.1:7070' },
    memory: { ram: 3e8, vram: 4.1e9 },
    status: {
      ...{ role: 'miner', mining: { state: 'running' }, queue: { active: 2, waiting: 1, waits: [] } },
      engine: { state: 'ready', active: 2, waiting: 0, model },
    },
  };
  const lines = (...rows: NodeRow[]) =>
    stripVTControlCharacters(nodeTable(rows, 7_200_000))
      .split('\n')
      .slice(1)
      .map((line) => line.trimEnd().split(/ {2,}/));

  it('says in words what a node does and where its model runs', () => {
    expect(lines(busy)).toEqual([
      [
        ...['/srv/quarry', '42', 'serving', 'qwen3-4b', 'GPU (CUDA)', '~4.1 GB GPU + 300 MB', '4 × 8,192'],
        ...['2 running, 1 waiting', '2.0 h'],
      ],
    ]);
  });

  it('lists what was loaded beside the own model below it', () => {
    const other = { memory: { ram: 2e8, vram: 0 }, device: 'cpu', contextSize: 4_096, parallel: 2, waiting: 0 };
    const beside = [
      { ...other, name: 'smollm2', own: false, active: 0, freesAt: 7_740_000 },
      { ...other, name: 'gemma3', own: false, active: 1, freesAt: null },
    ];
    expect(lines({ ...busy, beside }).slice(1)).toEqual([
      ['', 'freed in 9 min', 'smollm2', 'CPU', '~200 MB', '2 × 4,096', 'none'],
      ['', 'in use', 'gemma3', 'CPU', '~200 MB', '2 × 4,096', '1 running'],
    ]);
  });

  it('lists one that does not answer, and one that is still starting', () => {
    const { status: _, memory: __, url: ___, ...starting } = busy;
    expect(lines({ ...starting, url: 'http://x' }, starting).map((cells) => cells[2])).toEqual([
      'does not answer',
      'is starting, or a command at work',
    ]);
  });
});

describe('quarry logs', () => {
  const text = (entry: unknown) => stripVTControlCharacters(logText(JSON.stringify(entry)));

  it('writes a line for a person, with what belongs to it', () => {
    const time = new Date().setHours(14, 5, 9, 0);
    expect(text({ level: 40, time, msg: 'not shared', model: 'q', err: { message: 'no\nroom', stack: 'x' } })).toBe(
      '14:05:09 warn  not shared · no room · model=q',
    );
    expect(text({ level: 30, time: 0, msg: 'old' })).toMatch(/^1970-01-01 \S+ info {2}old$/);
  });

  it('leaves what is no JSON as it is, without what steers a terminal', () => {
    expect(logText('half a li\u001b[2J')).toBe('half a li[2J');
  });
});

describe('quarry models show', () => {
  it('leaves out what is not known, and says what is an estimate', () => {
    const bare: ModelDetails = { name: 'x', file: null, bytes: null, sha256: null, facts: null, fit: null };
    expect(detailRows(bare)).toEqual([
      ['file', 'not on this machine'],
      ['licence', 'not known'],
      ['SHA-256', 'not known before the first download'],
    ]);
    const fit = {
      ...{ runs: 'cpu' as const, contextSize: 8_192, parallel: 4, longest: 40_960, gpuLayers: 0, layers: 29 },
      reason: 'It runs on the processor.',
      memory: { weights: 2.4e9, cache: 1e9, overhead: 2e8, total: 3.6e9 },
      room: { of: 'ram' as const, usable: 8e9, weights: 2.4e9, cache: 1e9, overhead: 2e8 },
      speed: { class: 'slow' as const, tokensPerSecond: 7.25, low: 5, high: 10, measured: false },
    };
    expect(detailRows({ ...bare, fit })).toContainEqual(['speed', '5.0 to 10 tokens/s, estimated']);
    expect(detailRows({ ...bare, fit: { ...fit, speed: { ...fit.speed, measured: true } } })).toContainEqual([
      'speed',
      '7.3 tokens/s, measured here',
    ]);
  });
});
