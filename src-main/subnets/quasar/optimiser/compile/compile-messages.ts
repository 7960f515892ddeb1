import { z } from 'zod';
import { MOST_SOURCE_BYTES } from '../../../../../src-preload/contract/optimiser-numbers.ts';

/** Of a compiled module, in base64: twice what any judge takes. */
const MOST_MODULE_CHARS = 3_000_000;
/** Mistakes that are told: the first ones cause the rest. */
export const MOST_MISTAKES = 5;
export const MOST_MESSAGE = 300;

/** What the process that compiles is told, once. */
export const compileTaskSchema = z.strictObject({ source: z.string().max(MOST_SOURCE_BYTES) });

/** What the compiler does not like; by its number, which says of what kind it is. */
const mistakeSchema = z.strictObject({
  code: z.int(),
  message: z.string().max(MOST_MESSAGE),
  /** From 1; null where it is nowhere in the source. */
  line: z.int().min(1).nullable(),
});
export type Mistake = z.infer<typeof mistakeSchema>;

/** What comes of it. */
export const compileReportSchema = z.union([
  z.strictObject({ module: z.base64().max(MOST_MODULE_CHARS) }),
  z.strictObject({ mistakes: z.array(mistakeSchema).min(1).max(MOST_MISTAKES) }),
  /** The compiler itself gave up. */
  z.strictObject({ gaveUp: z.string().max(MOST_MESSAGE) }),
]);
export type CompileReport = z.infer<typeof compileReportSchema>;
