import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Calibration, CalibrationStore } from '../../../src-main/store/calibrations.ts';
import type { Db } from '../../../src-main/store/database.ts';
import { memoryDatabase } from '../../support/memory-database.ts';

let db: Db;
let store: CalibrationStore;
beforeEach(async () => {
  db = await memoryDatabase();
  store = new CalibrationStore(db);
});
afterEach(() => db.destroy());

const calibration = (changes: Partial<Calibration> = {}): Calibration => ({
  sha256: 'a'.repeat(64),
  device: 'cpu',
  threads: 4,
  gpuLayers: 0,
  prefill: 120.5,
  decode: 12.5,
  cpuBytes: 4e9,
  gpuBytes: 0,
  bits: 4.9,
  decodeCosts: [
    { sequences: 1, ms: 80.5 },
    { sequences: 2, ms: 90.25 },
  ],
  measuredAt: 1,
  ...changes,
});

describe('calibrations', () => {
  it('are found again under their key, and under no other', async () => {
    await store.put(calibration());
    expect(await store.find(calibration())).toEqual(calibration());
    const others = [{ sha256: 'b'.repeat(64) }, { device: 'cuda Test' }, { threads: 2 }, { gpuLayers: 8 }];
    for (const other of others) expect(await store.find(calibration(other))).toBeUndefined();
  });

  it('are replaced by later ones with the same key', async () => {
    await store.put(calibration());
    await store.put(calibration({ decode: 20, measuredAt: 2 }));
    expect(await store.on(['cpu'])).toEqual([calibration({ decode: 20, measuredAt: 2 })]);
  });

  it('are listed by device, the latest first', async () => {
    const onGpu = calibration({ device: 'cuda Test', gpuLayers: 8, cpuBytes: 0, gpuBytes: 4e9, measuredAt: 2 });
    const later = calibration({ sha256: 'b'.repeat(64), measuredAt: 3 });
    for (const one of [calibration(), onGpu, later]) await store.put(one);
    expect(await store.on(['cpu'])).toEqual([later, calibration()]);
    expect(await store.on(['cpu', 'cuda Test'])).toEqual([later, onGpu, calibration()]);
  });

  it('of no speed at all are refused', async () => {
    await expect(store.put(calibration({ decode: 0 }))).rejects.toThrow(/CHECK/);
  });
});
