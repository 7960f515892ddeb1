import { describe, expect, it } from 'vitest';
import { GpuNeighbours, type GpuProcess, parseNvidiaProcesses } from '../../../src-main/hardware/gpu-neighbours.ts';

const GIB = 1024 ** 3;

function neighbours(state: { free: number; processes: GpuProcess[] }): GpuNeighbours {
  return new GpuNeighbours({
    engineGpus: async () => [{ name: 'GPU', backend: 'cuda', vramTotal: 24 * GIB, vramFree: state.free }],
    processes: async () => state.processes,
    ownPids: () => [100],
  });
}

describe('GpuNeighbours', () => {
  it('does not count our own engine', async () => {
    const watch = neighbours({ free: 10 * GIB, processes: [{ pid: 100, name: 'node', vram: 8 * GIB }] });
    expect((await watch.read()).value).toEqual({ vram: 0, programs: [] });
  });

  it('adds up what other programs on the list hold', async () => {
    const processes = [
      { pid: 1, name: 'blender', vram: 2 * GIB },
      { pid: 2, name: 'python', vram: GIB },
    ];
    expect(await neighbours({ free: 10 * GIB, processes }).read()).toEqual({
      value: { vram: 3 * GIB, programs: ['blender', 'python'] },
      source: 'nvidia-smi',
    });
  });

  it('sees a program that is on no list by the memory that goes missing', async () => {
    const state = { free: 10 * GIB, processes: [] };
    const watch = neighbours(state);
    await watch.read();
    state.free = 6 * GIB;
    expect(await watch.read()).toEqual({ value: { vram: 4 * GIB, programs: [] }, source: 'llama.cpp' });
  });

  it('notices when memory is given back, and taken again', async () => {
    const state = { free: 6 * GIB, processes: [] };
    const watch = neighbours(state);
    await watch.read();
    state.free = 10 * GIB;
    expect((await watch.read()).value?.vram).toBe(0);
    state.free = 7 * GIB;
    expect((await watch.read()).value?.vram).toBe(3 * GIB);
  });

  it('compares anew after our own model was loaded', async () => {
    const state = { free: 20 * GIB, processes: [] };
    const watch = neighbours(state);
    await watch.read();
    state.free = 8 * GIB;
    watch.rebase();
    expect((await watch.read()).value?.vram).toBe(0);
  });

  it('has nothing to say on a computer without a GPU', async () => {
    const watch = new GpuNeighbours({ engineGpus: async () => [], ownPids: () => [] });
    expect((await watch.read()).value).toEqual({ vram: 0, programs: [] });
  });
});

describe('parseNvidiaProcesses', () => {
  it('reads lines, paths with commas and figures that the driver withholds', () => {
    const output = [
      '1234, 2048, /usr/bin/blender',
      '77, [N/A], C:\\Games\\a, b\\game.exe',
      '',
      'No running processes found',
      '9, , ',
    ].join('\r\n');
    expect(parseNvidiaProcesses(output)).toEqual([
      { pid: 1234, name: 'blender', vram: 2 * GIB },
      { pid: 77, name: 'game.exe', vram: undefined },
    ]);
  });
});
