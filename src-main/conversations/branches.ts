import type { Turn } from '../../src-preload/contract/conversations.ts';
import type { StoredTurn } from '../store/conversations.ts';

/** One of several turns that may stand in the same place, and follow the same turn. */
type Placed = Pick<StoredTurn, 'id' | 'parent'>;

/**
 * The turns from the first one up to a leaf, each with all that stand in its place. A leaf that is gone means the newest turn.
 *
 * @param turns those of all branches, by their ids
 */
export function branchOf(turns: readonly StoredTurn[], leaf: number | null): Turn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const followers = Map.groupBy(turns, ({ parent }) => parent);
  const branch: Turn[] = [];
  for (let turn = byId.get(leaf ?? -1) ?? turns.at(-1); turn; turn = before(turn, byId)) {
    const { parent, ...shown } = turn;
    const versions = followers.get(parent)?.map(({ id }) => id) ?? [];
    branch.push(versions.length > 1 ? { ...shown, versions } : shown);
  }
  return branch.reverse();
}

/** What a turn follows. A damaged row must not lead round in a circle: what comes before has a smaller id. */
function before({ id, parent }: StoredTurn, byId: ReadonlyMap<number, StoredTurn>): StoredTurn | undefined {
  return parent !== null && parent < id ? byId.get(parent) : undefined;
}

/** The newest end of the branches that go through a turn. @param turns those of all branches, by their ids */
export function newestLeaf(turns: readonly Placed[], through: number): number {
  const on = new Set([through]);
  let leaf = through;
  for (const { id, parent } of turns) {
    if (parent === null || !on.has(parent) || id <= parent) continue;
    on.add(id);
    leaf = id;
  }
  return leaf;
}
