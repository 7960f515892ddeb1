import { LRUCache } from 'lru-cache';
import { ApiError } from '../../failures/api-error.ts';
import type { Item, SaidItem } from './items.ts';

const MOST = 1_000;
/** Bytes of all of them together, of each with its whole conversation: a text that several share counts for each. */
const MOST_BYTES = 32_000_000;

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

/** The same as it is kept: as JSON, of which the bytes are known. As objects, what a stranger makes up takes twenty times as many. */
interface Written {
  response: Uint8Array;
  items: Uint8Array;
  said: ReadonlyMap<string, Uint8Array>;
}

/**
 * Responses, in memory alone: they are gone with the node, and the ones that nobody has used for longest when there are too many. Whoever
 * knows an id may have it; nobody can guess one.
 */
export class KeptResponses {
  readonly #kept = new LRUCache<string, Written>({
    max: MOST,
    maxSize: MOST_BYTES,
    sizeCalculation: ({ response, items, said }) =>
      [response, items, ...said.values()].reduce((sum, { length }) => sum + length, 0),
    dispose: ({ said }) => this.#forgetItems(said),
  });
  readonly #items = new Map<string, Uint8Array>();

  /** One that is larger than all may be together is not kept. */
  put({ id, ...kept }: KeptResponse): void {
    const said = new Map([...kept.said].map(([item, what]) => [item, written(what)]));
    this.#kept.set(id, { response: written(kept.response), items: written(kept.items), said });
    if (this.#kept.has(id)) for (const [item, what] of said) this.#items.set(item, what);
  }

  /** As JSON. @throws ApiError 404 */
  get(id: string): string {
    const kept = this.#kept.get(id);
    if (!kept) throw notKept(404, id, { code: 'response_not_found' });
    return text(kept.response);
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
    return JSON.parse(text(kept.items));
  }

  /** What is said: with what references mean, and without thoughts. @throws ApiError 400 where it is not known what one means */
  said(items: readonly Item[]): SaidItem[] {
    const read = new Map<string, SaidItem>(); // one that is referred to often is read once
    return items.flatMap((item, at): SaidItem[] => {
      if (item.type === 'reasoning') return [];
      if (item.type !== 'item_reference') return [item];
      const kept = this.#items.get(item.id);
      if (!kept) throw notKept(400, item.id, { code: 'item_not_found', param: `input[${at}].id` });
      const meant = read.get(item.id) ?? JSON.parse(text(kept));
      read.set(item.id, meant);
      return [meant];
    });
  }

  #forgetItems(said: Written['said']): void {
    for (const id of said.keys()) this.#items.delete(id);
  }
}

/** An array of its own: a small Buffer would keep the pool that it is a part of. */
function written(what: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(what));
}

function text(json: Uint8Array): string {
  return new TextDecoder().decode(json);
}

function notKept(status: number, id: string, where: { code: string; param?: string }): ApiError {
  const message = `Nothing is kept under «${id.slice(0, 100)}». Responses are kept in memory while this node runs, as long as newer ones leave room, and not where «store» is false. Send the whole conversation as «input».`;
  return new ApiError(status, { message, ...where });
}
