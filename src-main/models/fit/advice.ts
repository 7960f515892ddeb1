import { KV_CACHE_TYPES, type KvCacheType } from '../../../src-preload/contract/long-context.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { Slices } from '../../base/slices.ts';
import { longestContext, type RopeScaling } from '../../inference/rope.ts';
import type { ModelProfile } from './model-profile.ts';

/** Settings that decide how much memory a model takes, and how far it reaches. */
export interface RoomSettings {
  /** Tokens of context for one request. */
  contextSize: number;
  /** Requests decoded together. */
  parallel: number;
  kvCache: KvCacheType;
  rope: RopeScaling | undefined;
}

/** A model on a machine, as far as advice needs it. */
export interface RoomOf {
  model: Pick<ModelProfile, 'contextLength' | 'originalContext' | 'hasRope' | 'hasWholeBlocks'>;
  /** As it is set. */
  set: Omit<RoomSettings, 'contextSize'>;
  /** How many requests at a time would fit then, as many as are set at the most; 0 where none does. */
  parallelFor(tried: Omit<RoomSettings, 'parallel'>): Promise<number>;
}

/** What is scaled further is read so badly that nobody should be told to do it. */
const MOST_ADVISED = 8;
/** A context is made in blocks of so many tokens. */
const BLOCK = 256;

/**
 * Settings with which there would be room for so many tokens. What costs least comes first: fewer requests at a time, then a coarser cache; positions are
 * scaled only where the model reaches no further.
 */
export async function settingsFor(contextSize: number, of: RoomOf): Promise<RoomSettings | undefined> {
  const rope = contextSize <= longestContext(of.model, of.set.rope) ? of.set.rope : scalingFor(contextSize, of);
  if (contextSize > longestContext(of.model, rope)) return undefined;
  for (const kvCache of cachesOf(of)) {
    const parallel = await of.parallelFor({ contextSize, kvCache, rope });
    if (parallel > 0) return { contextSize, parallel, kvCache, rope };
  }
  return undefined;
}

/** The longest context between what fits now and what does not, with the settings that it wants; undefined where none is longer. */
export async function longestFor(least: number, limit: number, of: RoomOf): Promise<RoomSettings | undefined> {
  const turns = new Slices();
  let found: RoomSettings | undefined;
  for (const kvCache of cachesOf(of)) {
    const at = async (contextSize: number) => {
      if (turns.isOver) await turns.next(); // with a hundred layers, each estimate takes milliseconds
      const tried = { contextSize, kvCache, rope: of.set.rope };
      return { ...tried, parallel: await of.parallelFor(tried) };
    };
    const most = await longest(found?.contextSize ?? least, limit, at);
    found = most ?? found;
    if (most?.contextSize === limit) break;
  }
  return found;
}

async function longest(
  least: number,
  limit: number,
  at: (contextSize: number) => Promise<RoomSettings>,
): Promise<RoomSettings | undefined> {
  let found: RoomSettings | undefined;
  let [low, high] = [least, limit];
  for (let next = limit; high > low; next = Math.round((low + high) / 2)) {
    const tried = await at(next);
    if (tried.parallel > 0) [found, low] = [tried, next];
    else high = next;
    if (low === limit || high - low <= BLOCK) break;
  }
  return found;
}

/** As it is set, then the coarser ones. */
function cachesOf({ model, set }: RoomOf): readonly KvCacheType[] {
  return model.hasWholeBlocks ? KV_CACHE_TYPES.slice(KV_CACHE_TYPES.indexOf(set.kvCache)) : [set.kvCache];
}

/** In halves, as people set it. */
function scalingFor(contextSize: number, { model, set }: RoomOf): RopeScaling | undefined {
  const factor = Math.ceil((2 * contextSize) / (set.rope?.originalContext ?? model.originalContext)) / 2;
  if (!model.hasRope || factor > MOST_ADVISED) return undefined;
  return { type: 'yarn', ...set.rope, factor };
}

/** What of settings is to be set otherwise than it is: «a context of 32,000 tokens», «a cache of q8_0». */
export function settingsWords({ contextSize, parallel, kvCache, rope }: RoomSettings, set: RoomOf['set']): Saying[] {
  return [
    say('fit.withContext', { tokens: contextSize }),
    ...(parallel < set.parallel ? [say('fit.withParallel', { parallel })] : []),
    ...(kvCache === set.kvCache ? [] : [say('fit.withCache', { kvCache })]),
    ...(rope && rope.factor !== set.rope?.factor
      ? [say(rope.type === 'yarn' ? 'fit.withYarn' : 'fit.withLinear', { factor: rope.factor })]
      : []),
  ];
}
