import { z } from 'zod';

/**
 * node-llama-cpp tries a GPU build of llama.cpp in a process of its own before it loads it. Electron's utility processes
 * cannot start one, so the engine child asks main to, with these messages beside its own.
 */
export const bindingTestOrderSchema = z.strictObject({
  bindingTest: z.int().min(0).max(1_000),
  order: z.enum(['start', 'send', 'kill']),
  message: z.unknown(),
});
export type BindingTestOrder = z.infer<typeof bindingTestOrderSchema>;

/** What main tells about a test. */
export const bindingTestNewsSchema = z.strictObject({
  bindingTest: z.int(),
  news: z.enum(['message', 'exit']),
  message: z.unknown(),
  code: z.int().optional(),
});
export type BindingTestNews = z.infer<typeof bindingTestNewsSchema>;
