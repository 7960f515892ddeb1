import { describe, expect, it } from 'vitest';
import { fullestCards } from '../../../src-renderer/pages/computer/fullest-cards.ts';
import { memoryUsed } from '../../../src-renderer/pages/computer/memory-used.ts';

const A = { name: 'NVIDIA GeForce RTX 4090', busy: 0.9, vramTotal: 24, vramUsed: 12, temperature: 70, watts: 300 };
const B = { name: 'NVIDIA GeForce RTX 3060', busy: 0.1, vramTotal: 12, vramUsed: 11 };

describe('the graphics cards', () => {
  it('are told by the busiest and by the fullest', () => {
    expect(fullestCards([A, B])).toEqual({ busiest: A, fullest: B });
    expect(fullestCards([{ name: 'Radeon', vramTotal: 0 }])).toEqual({ busiest: undefined, fullest: undefined });
  });
});

it('memory in use is that of this moment where it is measured, else what it was', () => {
  const memory = { total: 32e9, available: 20e9 };
  expect(memoryUsed(memory, 50)).toEqual({ used: 16e9, total: 32e9 });
  expect(memoryUsed(memory, undefined)).toEqual({ used: 12e9, total: 32e9 });
  expect(memoryUsed(undefined, 50)).toBeUndefined();
});
