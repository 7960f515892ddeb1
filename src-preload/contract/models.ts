import { oc } from '@orpc/contract';
import { z } from 'zod';

export const localModelSchema = z.object({
  name: z.string(),
  path: z.string(),
  bytes: z.number(),
  /** 64 hex. */
  sha256: z.string(),
  /** The built-in model that is only for trying things out. */
  tiny: z.boolean(),
  /** The one that `start` loads. */
  selected: z.boolean(),
});
export type LocalModel = z.infer<typeof localModelSchema>;

export const modelsContract = {
  list: oc.output(z.array(localModelSchema)),
  /**
   * Checks a GGUF file and takes it into the library: a hard link where the drive allows, else a copy. The path is
   * absolute: a relative one would start from the node's own working folder.
   */
  import: oc
    .input(z.object({ path: z.string().min(1), name: z.string().max(100).optional() }))
    .output(localModelSchema),
};
