import type { Saying } from '../../../../src-preload/contract/saying.ts';
import type { KernelFault } from '../kernels/judge-kernel.ts';

/** What a judge finds of a module: what is wrong with it first, or how many times as fast as the baseline it is. */
export type Examined =
  | { right: false; fault: KernelFault; reason: Saying }
  | { right: true; ratio: { median: number; low: number; high: number } };

/** Checks a module, and measures it where it is right. @throws what keeps it from being judged, which says nothing about it; the signal’s reason */
export type Examine = (
  module: Uint8Array,
  how: { tokens: number; seed: string; signal: AbortSignal },
) => Promise<Examined>;

/** What people who write a kernel have to know. */
export interface KernelTask {
  /** The specification in short, for a model. */
  specification: string;
  /** A right kernel that others are measured against, AssemblyScript. */
  baseline: string;
  examine: Examine;
}
