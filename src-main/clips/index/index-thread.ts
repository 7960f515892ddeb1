/** The thread of a ClipIndex: keeps the vectors and looks through them, one order after the other. */
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { carryOutOrders } from '../../base/asked-thread.ts';
import type { IndexAnswer, IndexOrder, IndexThreadData } from './index-orders.ts';
import { Shelf } from './shelf.ts';

const { folder, memoryBytes } = workerData as IndexThreadData;
const budget = { left: memoryBytes };
const shelves = new Map<string, Shelf>();

carryOutOrders(carryOut);

function carryOut(order: IndexOrder): IndexAnswer {
  if (order.what === 'put') return { found: [], refused: put(order) };
  const shelf = shelves.get(order.shelf);
  if (order.what === 'remove') {
    for (const id of order.ids) shelf?.remove(id);
    return { found: [], refused: 0 };
  }
  const queries = slices(order.vectors, order.queries);
  const found = shelf ? shelf.nearest(queries, order.count, order.except) : queries.map(() => []);
  return { found, refused: 0 };
}

function put({ shelf: name, ids, vectors }: Extract<IndexOrder, { what: 'put' }>): number {
  const each = slices(vectors, ids.length);
  let shelf = shelves.get(name);
  if (!shelf) {
    shelf = new Shelf(each[0]?.length ?? 0, budget, join(folder, `rows-${shelves.size}`));
    shelves.set(name, shelf);
  }
  let refused = 0;
  for (const [at, id] of ids.entries()) if (!shelf.put(id, each[at] as Float32Array)) refused++;
  return refused;
}

/** Of one length each. */
function slices(all: Float32Array, count: number): Float32Array[] {
  const length = count === 0 ? 0 : all.length / count;
  return Array.from({ length: count }, (_, at) => all.subarray(at * length, (at + 1) * length));
}
