import { z } from 'zod';
import type { ModelShape } from '../model/shape.ts';
import type { TrainerSettings } from '../trainer.ts';

/** Of what is said between us and resources/trainer/: another one is not understood. */
export const PROTOCOL = 2;

export type Device = 'cpu' | 'cuda';

/** A tensor of the model's file, with its place from the file's start. */
export interface FileTensor {
  type: string;
  dimensions: readonly number[];
  offset: number;
  bytes: number;
}

/** What the child is asked; numbers in bulk go by files. Each is answered once, in turn. */
export type Task =
  | {
      do: 'open';
      /** Path of the GGUF file, and all that its header says of use: the child reads no headers. */
      model: string;
      shape: ModelShape;
      tensors: Readonly<Record<string, FileTensor>>;
      /** Folder with `adapter_model.safetensors`, and perhaps `optimizer.safetensors`. */
      adapter: string;
      /** Of what the adapter adds: alpha / rank. */
      scale: number;
      settings: TrainerSettings;
      device: Device;
      /** 0: as PyTorch chooses. */
      threads: number;
    }
  /** @see writeSamples */
  | { do: 'step'; samples: string; rate: number }
  | { do: 'score'; samples: string }
  /** Writes the two files of `adapter` into a folder that is there. */
  | { do: 'save'; folder: string };

const finite = z.number();
const bytes = z.int().min(0);

const figuresSchema = z.object({
  ...{ loss: finite, distillLoss: finite, klLoss: finite, gradNorm: finite.min(0) },
  ...{ isRatio: finite.min(0).optional(), clipFraction: finite.min(0).max(1.001).optional() },
  ...{ tokens: z.int().min(0), seconds: finite.min(0) },
});

/** Codes of `failed`. */
export const FAILURES = ['ADAPTER_INVALID', 'BAD_REQUEST', 'INTERNAL', 'NOT_FINITE', 'OUT_OF_MEMORY'] as const;
export type Failure = (typeof FAILURES)[number];

const MOST_TOKENS = 1 << 20;
const words = z.string().max(200);

/** What the child may say. */
export const torchMessageSchema = z.discriminatedUnion('say', [
  z.object({
    say: z.literal('hello'),
    ...{ protocol: z.int(), torch: words, python: words, device: z.enum(['cpu', 'cuda']) },
    /** Of a GPU: what it is called, and its memory. */
    ...{ deviceName: words.optional(), freeBytes: bytes.optional(), wholeBytes: bytes.optional() },
  }),
  z.object({
    ...{ say: z.literal('done'), id: z.int() },
    figures: figuresSchema.optional(),
    logprobs: z.array(finite.max(1e-3)).max(MOST_TOKENS).optional(),
    /** Memory that was in use at the most: of the GPU where it computes, of the process elsewhere; 0 where the system does not tell. */
    peakBytes: bytes.optional(),
  }),
  z.object({
    ...{ say: z.literal('failed'), id: z.int(), code: z.enum(FAILURES) },
    /** For the log. */
    detail: z.string().max(1_000),
  }),
]);

export type TorchMessage = z.infer<typeof torchMessageSchema>;
export type Hello = Extract<TorchMessage, { say: 'hello' }>;
export type Done = Extract<TorchMessage, { say: 'done' }>;
