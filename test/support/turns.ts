/** How often a work lets others have their turn: unlike a time, the same on every machine. */
export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  await work().finally(() => {
    isOver = true;
  });
  return turns;
}
