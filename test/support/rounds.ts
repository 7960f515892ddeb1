/**
 * How many times as many rounds the kill tests make as they do by default: `QUARRY_TEST_ROUNDS`, 1 if not set. A kill comes
 * at a moment of chance, so the more the better, and the longer.
 */
export const ROUNDS = Math.max(1, Math.floor(Number(process.env.QUARRY_TEST_ROUNDS ?? 1)) || 1);
