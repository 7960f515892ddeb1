import type { MarketPart } from '../parts/focus/market.ts';
import type { Domain } from './implementer.ts';

/** The contract's `market`. */
export function marketRoutes({ os, named }: Domain<'market'>, market: MarketPart) {
  return {
    state: os.state.handler(() => market.state()),
    watch: os.watch.handler(({ signal }) => named(market.watch(signal))),
    reviews: os.reviews.handler(() => market.reviews()),
    video: os.video.handler(({ input, context }) => market.video(input.id, context.lasts)),
    judge: os.judge.handler(({ input: { id, ...word } }) => market.judge(id, word)),
  };
}
