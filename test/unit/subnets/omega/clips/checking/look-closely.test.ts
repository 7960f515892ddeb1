import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../../../../src-main/clips/sources/source.ts';
import { ClipLook, type LookFor } from '../../../../../../src-main/subnets/omega/clips/checking/look-closely.ts';
import { readClips, type ToldClip } from '../../../../../../src-main/subnets/omega/clips/synapse/handed-in.ts';
import { honestClip, videosText } from '../../../../../support/handed-in.ts';
import { clipChecking, source } from '../../../../../support/judged-clips.ts';
import { until } from '../../../../../support/until.ts';

const toldOf = (id: string) => (readClips(videosText([honestClip(id)])) as ToldClip[])[0]!;

/** A place where clips are looked at; a look at a video whose id says `slow` goes on until `end` is called, whatever its patience. */
async function looking(patienceMs?: number) {
  const { ports, folder } = await clipChecking();
  const { promise: slow, resolve: end } = Promise.withResolvers<void>();
  const begun: string[] = [];
  /** Resolve when the patience with a look is over. */
  const ended: Promise<unknown>[] = [];
  const fetched: Pick<Source, 'look' | 'fetch'> = {
    look: source.look,
    async fetch(id, to, options) {
      begun.push(id);
      ended.push(once(options.signal, 'abort'));
      if (id.includes('slow')) await slow;
      options.signal.throwIfAborted();
      return await source.fetch(id, to, options);
    },
  };
  const look = new ClipLook({ source: () => fetched, media: ports.media, folder, ...(patienceMs && { patienceMs }) });
  const at = (id: string, by: Partial<LookFor> = {}) =>
    look
      .at(toldOf(id), { signal: new AbortController().signal, ...by }, async (_, within) => !within.aborted)
      .then((looked) => (typeof looked === 'string' ? looked : looked.found));
  return { at, begun, ended, end };
}

describe('clips of several miners', () => {
  it('do not wait for those of one whose source is slow', async () => {
    const { at, begun, end } = await looking();
    const slow = Array.from({ length: 10 }, (_, each) => at(`slow:${each}`, { party: 'slow' }));
    await until(() => expect(begun.length).toBeGreaterThan(0));
    for (let each = 0; each < 5; each++) expect(await at(`owls:${each}`, { party: `other ${each}` })).toBe(true);
    expect(begun.filter((id) => id.startsWith('slow'))).toHaveLength(2);
    end();
    expect(await Promise.all(slow)).toEqual(Array(10).fill(true));
  });

  it('are looked at a few at a time, whoever hands them in', async () => {
    const { at, begun, end } = await looking();
    const all = Array.from({ length: 9 }, (_, each) => at(`slow:${each}`, { party: `miner ${each}` }));
    await until(() => expect(begun).toHaveLength(4));
    end();
    await Promise.all(all);
    expect(begun).toHaveLength(9);
  });

  it('have their turn before further ones of whom the time was spent on before', async () => {
    const { at, begun, end } = await looking();
    const slow = ['a', 'b'].flatMap((party) => [1, 2, 3].map((each) => at(`slow ${party}:${each}`, { party })));
    await until(() => expect(begun).toHaveLength(4));
    const late = at('owls:late', { party: 'late' });
    end();
    await Promise.all([...slow, late]);
    expect(begun.indexOf('owls:late')).toBe(4);
  });
});

describe('waiting for a turn', () => {
  it('is no part of the patience with a source', async () => {
    const { at, begun, ended, end } = await looking(2_000);
    const slow = [1, 2, 3, 4].map((each) => at(`slow:${each}`, { party: `miner ${each}` }));
    await until(() => expect(begun).toHaveLength(4));
    const waiting = at('owls:one', { party: 'one' });
    await Promise.all(ended);
    end();
    expect(await Promise.all(slow)).toEqual(Array(4).fill('blocked')); // theirs is over, which says nothing of the videos
    expect(await waiting).toBe(true);
  });

  it('ends with its signal', async () => {
    const { at, begun, end } = await looking();
    const slow = [1, 2, 3, 4].map((each) => at(`slow:${each}`));
    await until(() => expect(begun).toHaveLength(4));
    const ending = new AbortController();
    const waiting = at('owls:one', { signal: ending.signal });
    ending.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    end();
    await Promise.all(slow);
    expect(begun).not.toContain('owls:one');
  });
});
