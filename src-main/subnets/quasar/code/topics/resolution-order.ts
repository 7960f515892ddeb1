/**
 * In which order Python looks through a class and what is above it (C3: Barrett and others, «A monotonic superclass linearization for Dylan»).
 * @param orders those of its bases, as they are named @returns undefined where there is none
 */
export function resolutionOrder(name: string, orders: readonly (readonly string[])[]): string[] | undefined {
  const bases = orders.map(([base = '']) => base);
  let left = [...orders, bases].map((list) => [...list]).filter((list) => list.length > 0);
  const order = [name];
  while (left.length > 0) {
    const next = left.map(([head]) => head).find((head) => head !== undefined && !isInTail(left, head));
    if (next === undefined) return undefined;
    order.push(next);
    left = left.map((list) => (list[0] === next ? list.slice(1) : list)).filter((list) => list.length > 0);
  }
  return order;
}

const isInTail = (lists: readonly (readonly string[])[], name: string) =>
  lists.some((list) => list.indexOf(name, 1) > 0);
