import { z } from 'zod';

/** How an address of Bittensor (ss58) looks on a wire; whether its checksum is right is seen where it is used. */
export const ss58Schema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{47,48}$/);
