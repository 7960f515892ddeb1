import type { Core } from '../parts/core.ts';
import type { ClipsPart } from '../parts/data/clips.ts';
import type { Domain } from './implementer.ts';

/** The contract's `data`. */
export function dataRoutes(
  { os, named }: Domain<'data'>,
  { desk, miner, search, library, submissions }: ClipsPart,
  { until }: Pick<Core, 'until'>,
) {
  return {
    state: os.state.handler(({ signal }) => named(desk.watch(until(signal)))),
    sources: os.sources.handler(() => desk.sources()),
    search: os.search.handler(({ input: { source, topic, cursor }, signal }) =>
      search.page(source, topic, cursor, until(signal)),
    ),
    enqueue: os.enqueue.handler(({ input, signal }) => desk.enqueue(input.videos, input.topic, until(signal))),
    mine: os.mine.handler(({ input: { topic, sources, most } }) => desk.mine(topic, sources, most)),
    stop: os.stop.handler(() => miner.stop()),
    resume: os.resume.handler(() => miner.resume()),
    jobs: os.jobs.handler(({ input }) => desk.jobs(input)),
    retry: os.retry.handler(async ({ input }) => ({ retried: await miner.retry(input.number) })),
    cancel: os.cancel.handler(({ input }) => miner.cancel(input.number)),
    clips: os.clips.handler(({ input, signal }) => library.list(input, until(signal))),
    clip: os.clip.handler(({ input }) => library.get(input.clip)),
    describe: os.describe.handler(({ input: { clip, description }, signal }) =>
      library.describe(clip, description, until(signal)),
    ),
    removeClip: os.removeClip.handler(({ input }) => library.remove(input.clip)),
    play: os.play.handler(({ input, context }) => library.play(input.clip, context.lasts)),
    score: os.score.handler(({ input: { topic, clips }, signal }) => library.score(topic, clips, until(signal))),
    submissions: os.submissions.handler(({ input }) => submissions.list(input)),
    miners: os.miners.handler(() => submissions.miners()),
  };
}
