import { every, type Script, type ScriptedOs } from './answers.ts';

const STATE = {
  ...{ running: false, market: null, port: null, scores: false, offers: {}, purchases: {}, bytes: 0, answered: 0 },
  ...{ day: { sold: 0, spent: '0', budget: '0', left: '0' }, refused: [] },
};

/** The contract's `market` out of a script: this node serves none. */
export function script(os: ScriptedOs['market']): Script<'market'> {
  return {
    state: os.state.handler(() => STATE),
    watch: os.watch.handler(({ signal }) =>
      every(
        () => 1_000,
        () => STATE,
        signal,
      ),
    ),
    reviews: os.reviews.handler(() => []),
    judge: os.judge.handler(() => undefined),
  };
}
