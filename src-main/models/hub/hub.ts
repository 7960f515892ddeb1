import type { HubSort } from '../../../src-preload/contract/hub-sorts.ts';
import type { HttpClient } from '../downloads/http-client.ts';
import type { HttpAnswer } from '../downloads/http-exchange.ts';
import { hubFileAddress } from '../hub-address.ts';
import { type Listed, listedSchema, listSchema, type Repository, repositorySchema } from './hub-answers.ts';
import { explainHubError, HubNonsense } from './hub-errors.ts';
import { askForJson, checked } from './hub-json.ts';

export interface HubOptions {
  /** https://huggingface.co, or a mirror with the same paths. */
  endpoint: string;
  /** It sends the token to the endpoint's origin and to no other. */
  client: Pick<HttpClient, 'get'>;
  /** A token is sent along. */
  hasToken: boolean;
  /** Milliseconds in which an answer has to be complete. Default 15,000. */
  deadlineMs?: number;
}

export interface HubSearch {
  text: string;
  sort: HubSort;
  after?: string | undefined;
  limit: number;
}

/** A page of 100 with all their tags has about 300 kB; a repository of 1,000 files about as much. */
const BOUNDS = { mostBytes: 8 << 20, deadlineMs: 15_000 };
const SORT_KEYS = { downloads: 'downloads', likes: 'likes', newest: 'lastModified' } as const;
/** Else the list tells of each repository less than this, and more that nobody here reads. */
const FIELDS = ['downloads', 'likes', 'lastModified', 'gated', 'tags', 'gguf'];
/** Longer than any that was seen (about 200). */
const LONGEST_CURSOR = 1_000;

/** Asks a server that speaks the Hub's API. Whatever it says is hostile: bounded in time and size, and checked. */
export class Hub {
  readonly #options: HubOptions;
  readonly endpoint: string;

  constructor(options: HubOptions) {
    this.#options = options;
    this.endpoint = options.endpoint.replace(/\/+$/, '');
  }

  get host(): string {
    return new URL(this.endpoint).host;
  }

  get hasToken(): boolean {
    return this.#options.hasToken;
  }

  /** @returns one page; `next` leads to the one after it. @throws QuarryError as the contract's `models.search` */
  async search(wanted: HubSearch, signal?: AbortSignal): Promise<{ models: Listed[]; next: string | null }> {
    return await this.#named(undefined, async () => {
      const { json, answer } = await this.#ask(`/api/models?${searchParams(wanted)}`, signal);
      const entries = checked(listSchema, json);
      const models = entries.map((entry) => listedSchema.safeParse(entry).data).filter((one) => one !== undefined);
      // Very old ones have no owner and are left out; where nothing has a sound name, it is another API.
      if (models.length === 0 && entries.length > 0) throw new HubNonsense('no entry is a repository');
      return { models, next: cursorIn(answer.headers.link) };
    });
  }

  /** @param id `owner/name` @throws QuarryError as the contract's `models.repository` */
  async repository(id: string, signal?: AbortSignal): Promise<Repository> {
    return await this.#named(id, async () => {
      const { json } = await this.#ask(`/api/models/${id}?blobs=true`, signal);
      return checked(repositorySchema, json);
    });
  }

  /** Where a file of a commit is. @param path a sound one, see `isSoundPath` */
  fileUrl({ id, sha }: Pick<Repository, 'id' | 'sha'>, path: string): string {
    return hubFileAddress(this.endpoint, id, sha, path);
  }

  async #named<T>(repository: string | undefined, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw explainHubError(error, {
        host: this.host,
        hasToken: this.hasToken,
        ...(repository !== undefined && { repository }),
      });
    }
  }

  async #ask(path: string, signal?: AbortSignal): Promise<{ json: unknown; answer: HttpAnswer }> {
    const { client, deadlineMs = BOUNDS.deadlineMs } = this.#options;
    return await askForJson(client, new URL(this.endpoint + path), { ...BOUNDS, deadlineMs, signal });
  }
}

function searchParams({ text, sort, after, limit }: HubSearch): URLSearchParams {
  const params = new URLSearchParams({ filter: 'gguf', sort: SORT_KEYS[sort], direction: '-1', limit: String(limit) });
  if (text.trim()) params.set('search', text.trim());
  if (after !== undefined) params.set('cursor', after);
  for (const field of FIELDS) params.append('expand[]', field);
  return params;
}

/** `<https://…&cursor=ABC>; rel="next"`: only the cursor is taken, so that the next page is asked of the same server. */
function cursorIn(link: string | undefined): string | null {
  const [, target] = /<([^<>]{1,4000})>\s*;\s*rel="?next"?/.exec(link?.slice(0, 8_000) ?? '') ?? [];
  const cursor = target === undefined ? null : URL.parse(target, 'http://hub')?.searchParams.get('cursor');
  return cursor && cursor.length <= LONGEST_CURSOR ? cursor : null;
}
