import type { Core } from '../parts/core.ts';
import type { FocusPart } from '../parts/focus/focus.ts';
import type { Domain } from './implementer.ts';

/** The contract's `focus`. */
export function focusRoutes(
  { os, named }: Domain<'focus'>,
  { recorder, library, videos, watch, capture, commands, seen, tasks, boosted, consent, scores }: FocusPart,
  { until }: Pick<Core, 'until'>,
) {
  const { ratings } = scores;
  return {
    watch: os.watch.handler(({ signal }) => named(watch(signal))),
    begin: os.begin.handler(async ({ input: { page, ...about } }) =>
      recorder.begin(await tasks.beginning(about), page),
    ),
    goOn: os.goOn.handler(({ input }) => recorder.goOn(input.id, input.newPart, input.page)),
    setPaused: os.setPaused.handler(({ input }) => recorder.setPaused(input.id, input.paused)),
    forgetLast: os.forgetLast.handler(({ input }) => recorder.forgetLast(input.id, input.seconds)),
    finish: os.finish.handler(({ input }) => recorder.finish(input.id)),
    list: os.list.handler(({ input }) => library.list(input)),
    get: os.get.handler(({ input }) => library.get(input.id)),
    update: os.update.handler(async ({ input: { id, ...change } }) => {
      await ratings.beforeChange(id, change);
      return await library.update(id, change);
    }),
    remove: os.remove.handler(async ({ input }) => {
      for (const id of input.ids) await ratings.stop(id);
      await library.remove(input.ids);
    }),
    activity: os.activity.handler(({ input }) => library.activity(input.id)),
    motion: os.motion.handler(({ input: { id, bars } }) => library.motion(id, bars)),
    check: os.check.handler(({ input }) => library.check(input.id)),
    score: os.score.handler(({ input, signal }) => scores.score(input.id, until(signal))),
    prepare: os.prepare.handler(({ input, signal }) => named(videos.prepare(input.id, until(signal)))),
    view: os.view.handler(({ input, context }) => videos.view(input.id, context.lasts)),
    export: os.export.handler(({ input, signal, context }) =>
      named(videos.export(input, until(signal), context.lasts)),
    ),
    sources: os.sources.handler(() => seen.sources()),
    choose: os.choose.handler(({ input }) => capture().choose(input.id)),
    commands: os.commands.handler(({ signal }) => named(commands.follow(until(signal)))),
    tasks: os.tasks.handler(async ({ input }) => {
      await boosted.lookIfStale(until());
      return await tasks.list(input);
    }),
    refreshTasks: os.refreshTasks.handler(async () => {
      await boosted.look(until()); // for all who ask: it does not end with the first of them
      return await boosted.state();
    }),
    sent: os.sent.handler(({ input }) => consent.list(input)),
    strip: os.strip.handler(({ input, signal, context }) =>
      named(videos.strip(input.id, until(signal), context.lasts)),
    ),
    chapters: os.chapters.handler(async ({ input }) => ({ atMs: await videos.chapters(input.id) })),
    presence: os.presence.handler(() => seen.presence()),
    excluded: os.excluded.handler(({ input }) => ({ by: seen.excludes(input.label) })),
    find: os.find.handler(({ input }) => library.find(input.beginning)),
    verdicts: os.verdicts.handler(({ input }) => ratings.verdicts(input.ids)),
    rating: os.rating.handler(({ input }) => ratings.rating(input.id)),
    rate: os.rate.handler(({ input, signal }) => named(ratings.rate(input.id, until(signal), input.appeal))),
    stopRating: os.stopRating.handler(({ input }) => ratings.stop(input.id)),
    scorer: os.scorer.handler(() => scores.scorer()),
  };
}
