import { findSdk, SDK } from '../../src-main/bench/axon/official-sdk.ts';

/** A Python with Bittensor's own software: only for `npm run test:interop`, and undefined, loudly, where none can be had. */
export const PYTHON = process.env.QUARRY_INTEROP ? await findSdk() : undefined;

if (process.env.QUARRY_INTEROP && !PYTHON) {
  process.stderr.write(`\n!!! skipped: there is no Python with ${SDK.name} ${SDK.version}, and none can be had.\n\n`);
}
