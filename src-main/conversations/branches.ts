import type { Turn } from '../../src-preload/contract/conversations.ts';
import type { StoredTurn } from '../store/conversations/conversations.ts';
import type { KeptFile } from '../store/conversations/kept-turns.ts';

/** One of several turns that may stand in the same place, and follow the same turn. */
type Placed = Pick<StoredTurn, 'id' | 'parent'>;

/** A turn as it is kept, with all that stand in its place. */
export type BranchTurn = StoredTurn & Pick<Turn, 'versions'>;

/** A turn as screens see it: of its files, what they are and not what they say. */
export function shownTurn({ parent: _, files, ...turn }: BranchTurn): Turn {
  return files ? { ...turn, files: files.map(shownFile) } : turn;
}

function shownFile(file: KeptFile): NonNullable<Turn['files']>[number] {
  const { name } = file;
  return 'long' in file ? { name, chars: file.chars, long: true } : { name, chars: file.text.length };
}

/**
 * The turns from the first one up to a leaf, each with all that stand in its place. A leaf that is gone means the newest turn.
 *
 * @param turns those of all branches, by their ids
 */
export function branchOf(turns: readonly StoredTurn[], leaf: number | null): BranchTurn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const followers = Map.groupBy(turns, ({ parent }) => parent);
  const branch: BranchTurn[] = [];
  for (let turn = byId.get(leaf ?? -1) ?? turns.at(-1); turn; turn = before(turn, byId)) {
    const versions = followers.get(turn.parent)?.map(({ id }) => id) ?? [];
    branch.push(versions.length > 1 ? { ...turn, versions } : turn);
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
