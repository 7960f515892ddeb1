/**
 * Closes one after the other, in this order. One that fails keeps none of those after it open: a socket or a store that stays open
 * keeps the process alive.
 *
 * @throws what failed, at the end
 */
export async function closeAll(...steps: readonly (() => unknown)[]): Promise<void> {
  await using closing = new AsyncDisposableStack();
  for (const close of steps.toReversed()) {
    closing.defer(async () => {
      await close();
    });
  }
}
