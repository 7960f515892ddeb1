import type { AxonState } from '../../../src-preload/contract/axon.ts';
import type { CheckResult } from './check.ts';

/** Whether others reach the axon, and what to do where they do not. One that could not be opened says why. */
export function checkAxon({ reach, error }: Pick<AxonState, 'reach' | 'error'>): CheckResult {
  const name = 'axon';
  if (!error) return { name, ...reach };
  const { message: found, hint: advice, said } = error;
  const worded = said && { ...(said.message && { found: said.message }), ...(said.hint && { advice: said.hint }) };
  return { name, status: 'fail', found, ...(advice !== undefined && { advice }), ...(worded && { said: worded }) };
}
