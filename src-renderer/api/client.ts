import { createORPCClient, DynamicLink } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { contract } from '../../src-preload/contract/contract.ts';
import { connection } from './connection.ts';

/** Main, as a screen sees it. */
export type Client = ContractRouterClient<typeof contract>;

/** Calls main directly; each call goes over the connection of the moment and fails while there is none. */
export const client: Client = createORPCClient(new DynamicLink(() => connection.link()));

/** The same as options for TanStack Query: `useQuery(api.models.list.queryOptions())`. */
export const api = createTanstackQueryUtils(client);
