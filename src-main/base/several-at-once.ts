/**
 * Does one thing with each, never more than some at a time, and gives what came of them in their order. Once one has failed, no other is
 * begun.
 *
 * @param most how many at a time, 1 or more
 * @throws what the first that fails throws
 */
export async function severalAtOnce<One, Done>(
  all: readonly One[],
  most: number,
  work: (one: One) => Promise<Done>,
): Promise<Done[]> {
  const done = new Array<Done>(all.length);
  const left = begun(all);
  const one = async () => {
    for (const [at, each] of left) done[at] = await work(each); // leaving a loop ends what it goes through, for the others, too
  };
  await Promise.all(Array.from({ length: most }, one));
  return done;
}

function* begun<One>(all: readonly One[]) {
  yield* all.entries();
}
