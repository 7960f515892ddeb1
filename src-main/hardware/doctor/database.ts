import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { CheckResult } from './check.ts';

/** Whether the server for a validator’s results answers and lets us in. @param look says what it is, or throws why not */
export async function checkDatabase(look: () => Promise<string>): Promise<CheckResult> {
  const name = 'database';
  try {
    return { name, status: 'ok', found: `${await look()} answers.` };
  } catch (error) {
    const { message, hint } = QuarryError.from(error);
    return { name, status: 'fail', found: message, ...(hint && { advice: hint }) };
  }
}
