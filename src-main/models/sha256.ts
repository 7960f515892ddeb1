import { z } from 'zod';

/** 64 hex digits, in lower case. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits in lower case');
