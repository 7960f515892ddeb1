import { describe, expect, it } from 'vitest';
import { calibrate } from '../../../../src-main/models/fit/calibrate.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { ScriptedBackend } from '../../../support/scripted-backend.ts';

/** A backend whose tokens come at this pace, by a clock that only they move. */
function backendAt(msPerToken: number, tokens = 64) {
  const backend = new ScriptedBackend({ tokens: Array.from({ length: tokens }, () => 'word ') });
  let time = 0;
  backend.before = () => {
    time += msPerToken;
  };
  return { backend, now: () => time };
}

describe('a calibration', () => {
  it('measures how fast an answer is written', async () => {
    const { backend, now } = backendAt(20);
    // The scripted backend says that its first token takes no time: so nothing can be said of reading.
    expect(await calibrate(backend, { now })).toBeUndefined();
    expect(backend.started).toHaveLength(2);
  });

  it('cuts off an answer that takes too long', async () => {
    const { backend, now } = backendAt(150);
    await calibrate(backend, { now });
    expect(now()).toBeLessThan(3_000);
    expect(backend.aborted).toBe(1);
    expect(backend.active).toBe(0);
  });

  it.each([
    [5, 400],
    [50, 40],
    [190, 16],
  ])('of a model that needs %d ms a token reads a prompt of %d tokens', async (pace, tokens) => {
    const { backend, now } = backendAt(pace);
    await calibrate(backend, { now });
    expect(backend.started[1]?.input).toEqual({ prompt: ' a'.repeat(tokens) });
  });

  it('does not begin while somebody uses the engine', async () => {
    const { backend, now } = backendAt(20);
    backend.active = 1;
    expect(await calibrate(backend, { now })).toBeUndefined();
    expect(backend.started).toHaveLength(0);
  });

  it('does not go on when somebody has come meanwhile', async () => {
    const { backend, now } = backendAt(20);
    backend.before = (index) => {
      if (index === 30) backend.active++;
    };
    expect(await calibrate(backend, { now })).toBeUndefined();
    expect(backend.started).toHaveLength(1);
  });

  it('says nothing of an answer of a few tokens', async () => {
    const { backend, now } = backendAt(20, 5);
    expect(await calibrate(backend, { now })).toBeUndefined();
    expect(backend.started).toHaveLength(1);
  });

  it('gives up where not even the first token comes in time', async () => {
    const { backend, now } = backendAt(20);
    backend.before = () => {
      throw new QuarryError({ code: 'DEADLINE', message: 'too late' });
    };
    expect(await calibrate(backend, { now })).toBeUndefined();
  });

  it('passes on what goes wrong otherwise', async () => {
    const { backend, now } = backendAt(20);
    backend.before = () => {
      throw new QuarryError({ code: 'ENGINE_CRASHED', message: 'gone' });
    };
    await expect(calibrate(backend, { now })).rejects.toMatchObject({ code: 'ENGINE_CRASHED' });
  });

  it('ends at once when it is aborted', async () => {
    const { backend, now } = backendAt(20);
    const abort = new AbortController();
    backend.before = (index) => {
      if (index === 10) abort.abort();
    };
    await expect(calibrate(backend, { now, signal: abort.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
