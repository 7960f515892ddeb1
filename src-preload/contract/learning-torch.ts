import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';

/** `cuda`: for GPUs of NVIDIA; it computes on the processor, too. */
export const TORCH_VARIANTS = ['cpu', 'cuda'] as const;
const variantSchema = z.enum(TORCH_VARIANTS);
export type TorchVariant = z.infer<typeof variantSchema>;

/** `broken`: it belongs to another version of Quarry, or part of it is gone; installing makes it anew. */
const stateSchema = z.enum(['absent', 'installing', 'ready', 'broken']);
export type TorchState = z.infer<typeof stateSchema>;

/** How far an installation is. Bytes are those of packages that have arrived, about. */
export const torchProgressSchema = z.object({
  phase: z.enum(['python', 'packages', 'check']),
  bytes: z.number(),
  of: z.number(),
});
export type TorchProgress = z.infer<typeof torchProgressSchema>;

/** Python with PyTorch, the second way to learn on this computer. */
export const torchSchema = z.object({
  state: stateSchema,
  /** What is there, once it is ready, and the bytes that it takes. */
  installed: z
    .object({
      ...{ variant: variantSchema, tool: z.enum(['uv', 'pip']), python: z.string(), torch: z.string() },
      bytes: z.number(),
    })
    .nullable(),
  /** What could be installed on a computer like this, with the bytes to download and to keep on the disk meanwhile; empty: nothing. */
  choices: z.array(z.object({ variant: variantSchema, download: z.number(), disk: z.number() })),
  /** While it is being installed. */
  progress: torchProgressSchema.nullable(),
});
export type TorchView = z.infer<typeof torchSchema>;

export const learningTorchContract = {
  torch: oc.output(torchSchema),
  /**
   * Downloads and installs it, and tells how far that is; where it is being installed already, of that. Whoever stops reading does not stop it.
   * @throws UNSUPPORTED, DISK_FULL, DOWNLOAD_FAILED, CANCELLED; BAD_REQUEST while another variant is being installed
   */
  installTorch: oc.input(z.object({ variant: variantSchema })).output(eventIterator(torchProgressSchema)),
  /** What was downloaded is kept, for the next time. Nothing happens where nothing is being installed. */
  cancelTorch: oc.output(z.void()),
  /** @throws BAD_REQUEST while it is being installed or used */
  removeTorch: oc.output(z.void()),
};
