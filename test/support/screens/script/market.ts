import { every, type Script, type ScriptedData, type ScriptedOs } from './answers.ts';

const STATE = {
  ...{ running: false, market: null, port: null, scores: false, offers: {}, purchases: {}, bytes: 0, answered: 0 },
  ...{ day: { sold: 0, spent: '0', budget: '0', left: '0' }, refused: [] },
};

/** The contract's `market` out of a script: this node serves one where something waits for a person, or did. */
export function script(os: ScriptedOs['market'], answers: ScriptedData): Script<'market'> {
  const state = () => ({ ...STATE, running: answers.reviews.length + answers.judged.length > 0 });
  return {
    state: os.state.handler(state),
    watch: os.watch.handler(({ signal }) => every(() => 1_000, state, signal)),
    reviews: os.reviews.handler(() => answers.reviews),
    video: os.video.handler(() => ({ path: '/focus/video/none', expiresAt: 0 })),
    judge: os.judge.handler(({ input }) => {
      answers.judged.push(input);
      answers.reviews = answers.reviews.filter(({ id }) => id !== input.id);
    }),
  };
}
