import { z } from 'zod';

const port = z.int().min(1).max(65_535);

/** What the process that talks to the router is told; each is answered once, in turn. */
export const routerTaskSchema = z.discriminatedUnion('task', [
  /** Lets TCP connections in to a port of this computer, and keeps it so until it is told otherwise. */
  z.strictObject({ task: z.literal('open'), port, descriptor: z.url({ protocol: /^http$/ }).optional() }),
  /** Lets nobody in any more. */
  z.strictObject({ task: z.literal('close') }),
]);
export type RouterTask = z.infer<typeof routerTaskSchema>;

/** Where others come in; null where no router does that. */
export const routerReplySchema = z.strictObject({
  place: z.strictObject({ ip: z.union([z.ipv4(), z.ipv6()]), port }).nullable(),
});
export type RouterReply = z.infer<typeof routerReplySchema>;
