import { describe, expect, it } from 'vitest';
import { Cards, joinCards } from '../../../src-main/hardware/cards.ts';

const source = 'llama.cpp' as const;
const A = { name: 'NVIDIA GeForce RTX 4090', busy: 0.9, vramTotal: 24, vramUsed: 12, temperature: 70, watts: 300 };
const B = { name: 'NVIDIA GeForce RTX 3060', busy: 0.1, vramTotal: 12, vramUsed: 11 };

describe('the graphics cards', () => {
  it('that the engine adds up to one stand apart where their driver tells of each', () => {
    const together = {
      name: `${A.name} + ${B.name}`,
      devices: [A.name, B.name],
      backend: 'cuda',
      vramTotal: 36,
      vramFree: 9,
      source,
    };
    expect(joinCards([together], [A, B])).toEqual([
      { ...A, backend: 'cuda' },
      { ...B, backend: 'cuda' },
    ]);
    expect(joinCards([together], [])).toEqual([
      { name: together.name, backend: 'cuda', vramTotal: 36, vramUsed: 27, temperature: undefined, watts: undefined },
    ]);
    const added = { name: together.name, vramTotal: 36, vramUsed: 30 };
    expect(joinCards([together], [added])).toMatchObject([{ backend: 'cuda', vramUsed: 30 }]);
  });

  it('are as many as there are, also two of one name', () => {
    const two = { name: `${B.name} + ${B.name}`, devices: [B.name, B.name], backend: 'cuda', source };
    expect(joinCards([two], [B, { ...B, busy: 0.5 }]).map(({ busy }) => busy)).toEqual([0.1, 0.5]);
  });

  it('are told apart where the name of one begins as that of another', () => {
    const [plain, better] = [
      { name: 'GeForce RTX 3060', backend: 'vulkan', vramTotal: 12, source },
      { name: 'GeForce RTX 3060 Ti', backend: 'vulkan', vramTotal: 8, source },
    ];
    const loads = [{ ...B, name: 'NVIDIA GeForce RTX 3060 Ti', busy: 0.7 }, B];
    expect(joinCards([plain, better], loads).map(({ name, busy }) => [name, busy])).toEqual([
      ['NVIDIA GeForce RTX 3060', 0.1],
      ['NVIDIA GeForce RTX 3060 Ti', 0.7],
    ]);
  });

  it('have what is read now before what was read at the start, under whichever of their names', () => {
    const start = { name: 'GeForce RTX 4090', backend: 'vulkan', vramTotal: 24, vramFree: 24, temperature: 30, source };
    expect(joinCards([start], [A])).toEqual([{ ...A, backend: 'vulkan' }]);
  });

  it('are shown too where models cannot use them', () => {
    expect(joinCards([], [A])).toEqual([A]);
    expect(joinCards([{ name: 'Intel UHD', vramTotal: 2, source }], [])).toMatchObject([
      { name: 'Intel UHD', vramTotal: 2 },
    ]);
  });

  it('are listed again after two minutes, and what each does is of now', async () => {
    const given = { now: 0, busy: 0.1, listed: 0 };
    const gpus = async () => {
      given.listed++;
      return [{ name: B.name, backend: 'cuda', source }];
    };
    const cards = new Cards({ gpus, loads: () => [{ ...B, busy: given.busy }], now: () => given.now });
    expect(await cards.now()).toEqual([{ ...B, backend: 'cuda' }]);
    given.busy = 0.8;
    given.now = 110_000;
    expect(await cards.now()).toMatchObject([{ busy: 0.8, backend: 'cuda' }]);
    expect(given.listed).toBe(1);
    given.now = 121_000;
    await cards.now();
    expect(given.listed).toBe(2);
  });
});
