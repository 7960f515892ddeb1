import { describe, expect, it } from 'vitest';
import { SpeedMeter } from '../../../../src-main/models/downloads/speed-meter.ts';

describe('SpeedMeter', () => {
  it('tells the speed of the last five seconds', () => {
    let now = 0;
    const meter = new SpeedMeter(() => now);
    for (; now < 20_000; now += 100) meter.add(now < 10_000 ? 1_000_000 : 100);
    expect(meter.bytesPerSecond()).toBeGreaterThan(900);
    expect(meter.bytesPerSecond()).toBeLessThan(1_200);
  });

  it('falls to nothing when nothing comes', () => {
    let now = 0;
    const meter = new SpeedMeter(() => now);
    meter.add(1_000_000);
    now = 5_300;
    expect(meter.bytesPerSecond()).toBe(0);
  });

  it('does not exaggerate at the beginning', () => {
    let now = 0;
    const meter = new SpeedMeter(() => now);
    now = 1;
    meter.add(1_000);
    expect(meter.bytesPerSecond()).toBe(2_000);
  });
});
