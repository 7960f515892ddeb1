import { LRUCache } from 'lru-cache';
import { ApiError } from '../../failures/api-error.ts';
import type { Item, SaidItem } from './items.ts';

const MOST = 1_000;
/** Characters of all of them together, of each with its whole conversation: a text that several share counts for each. */
const MOST_CHARS = 32_000_000;

/** A response that was given, for who goes on from it or asks for it again. */
export interface KeptResponse {
  id: string;
  /** As it was told. */
  response: object;
  /** The whole conversation up to its end, without instructions. */
  items: readonly SaidItem[];
  /** What it said, by the ids that it was told under. */
  said: ReadonlyMap<string, SaidItem>;
}

/**
 * Responses, in memory alone: they are gone with the node, and the ones that nobody has used for longest when there are too many. Whoever
 * knows an id may have it; nobody can guess one.
 */
export class KeptResponses {
  readonly #kept = new LRUCache<string, KeptResponse>({
    max: MOST,
    maxSize: MOST_CHARS,
    dispose: ({ said }) => this.#forgetItems(said),
  });
  readonly #items = new Map<string, SaidItem>();

  put(kept: KeptResponse): void {
    const size = JSON.stringify([kept.response, kept.items]).length;
    if (size > MOST_CHARS) return;
    for (const [id, item] of kept.said) this.#items.set(id, item);
    this.#kept.set(kept.id, kept, { size });
  }

  /** @throws ApiError 404 */
  get(id: string): object {
    const kept = this.#kept.get(id);
    if (!kept) throw notKept(404, id, { code: 'response_not_found' });
    return kept.response;
  }

  /** @throws ApiError 404 */
  delete(id: string): void {
    if (!this.#kept.delete(id)) throw notKept(404, id, { code: 'response_not_found' });
  }

  /** The conversation that goes on. @throws ApiError 400 */
  before(id: string | undefined): readonly SaidItem[] {
    if (id === undefined) return [];
    const kept = this.#kept.get(id);
    if (!kept) throw notKept(400, id, { code: 'previous_response_not_found', param: 'previous_response_id' });
    return kept.items;
  }

  /** What is said: with what references mean, and without thoughts. @throws ApiError 400 where it is not known what one means */
  said(items: readonly Item[]): SaidItem[] {
    return items.flatMap((item, at): SaidItem[] => {
      if (item.type === 'reasoning') return [];
      if (item.type !== 'item_reference') return [item];
      const meant = this.#items.get(item.id);
      if (!meant) throw notKept(400, item.id, { code: 'item_not_found', param: `input[${at}].id` });
      return [meant];
    });
  }

  #forgetItems(said: KeptResponse['said']): void {
    for (const id of said.keys()) this.#items.delete(id);
  }
}

function notKept(status: number, id: string, where: { code: string; param?: string }): ApiError {
  const message = `Nothing is kept under «${id.slice(0, 100)}». Responses are kept in memory while this node runs, as long as newer ones leave room, and not where «store» is false. Send the whole conversation as «input».`;
  return new ApiError(status, { message, ...where });
}
