import { InvalidBody } from '../../../bittensor/axon/answering.ts';
import type { Caller } from '../../../bittensor/axon/gate.ts';
import { type ServedSynapse, serve } from '../../../bittensor/axon/served-synapse.ts';
import type { TokenProbe } from '../../../validation/environment.ts';
import type { InferenceAnswer } from '../verification/answering.ts';
import { INFERENCE_VERIFICATION } from './inference-verification.ts';

/** Whoever goes on from bare tokens. @throws QuarryError why there is no answer */
export type ProbeWorker = (probe: TokenProbe, caller: Caller, signal: AbortSignal) => Promise<InferenceAnswer>;

/** What an axon answers validators of QUASAR that look with which model it computes. */
export function serveProbes(worker: ProbeWorker): ServedSynapse {
  return serve(
    INFERENCE_VERIFICATION,
    async ({ prompt, gen_len: length, logits_at_step: captureAt }, caller, signal) => {
      if (captureAt > length) throw new InvalidBody(['logits_at_step'], `There are ${length} steps.`);
      return { ...(await worker({ prompt, length, captureAt }, caller, signal)) };
    },
  );
}
