import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { marketDemo } from '../../../../src-main/app/market-demo/market-demo.ts';
import { raoOf } from '../../../../src-preload/contract/rao.ts';
import { formsIn, phrase } from '../../../../src-preload/contract/saying.ts';
import { GERMAN } from '../../../../src-preload/contract/sayings/german.ts';

const log = pino({ level: 'silent' });

async function told(
  withFailures: boolean,
): Promise<[kind: string, key: string | undefined, text: string, german: string | undefined][]> {
  const steps: Awaited<ReturnType<typeof told>> = [];
  const { signal } = new AbortController();
  for await (const { kind, said, text } of marketDemo({ withFailures, log, blockMs: 40 }, signal)) {
    const german = said?.text && phrase(said.text, GERMAN, formsIn('de'));
    steps.push([kind, said?.text?.key.replace('trade.demo.', ''), text, german]);
  }
  return steps;
}

/** Rao that a step tells of, in its order. */
function amountsOf(steps: Awaited<ReturnType<typeof told>>, wanted: string): bigint[] {
  const text = steps.find(([, key]) => key === wanted)?.[2] ?? '';
  return [...text.matchAll(/([\d.]+) TAO/g)].map(([, tao = '']) => raoOf(tao));
}

describe('the demonstration of a market', () => {
  it('goes the whole way with the real market and desks: recorded, scored, listed, bought, paid, verified, fetched, earned', async () => {
    const steps = await told(false);
    expect(steps.map(([, key]) => key)).toEqual([
      ...['noMoney', 'recorded', 'scored', 'prepared', 'listed', 'found', 'dryRun', 'locked', 'draft', 'paid'],
      ...['verified', 'fetched', 'buyer', 'before', 'sold', 'after', 'over'],
    ]);
    expect(steps[0]?.[2]).toMatch(/the market’s score of it are made up\. No money moves/);
    expect(steps.find(([, key]) => key === 'dryRun')?.[2]).toContain('Nothing stands in the way.');
    const price = /for ([\d.]+) TAO/.exec(steps.find(([, key]) => key === 'listed')?.[2] ?? '')?.[1];
    const [had, sold, has] = ['before', 'sold', 'after'].map((wanted) => amountsOf(steps, wanted)[0] ?? 0n);
    expect(sold).toBe(raoOf(price ?? ''));
    expect(has).toBe(had! + sold!);
    const [before = 0n, paid = 0n, fee = 0n, after] = amountsOf(steps, 'buyer');
    expect([paid, after]).toEqual([sold, before - paid - fee]);
    expect(fee).toBeGreaterThan(0n);
  });

  it('shows what goes wrong, and that nobody loses a video or a payment by it', async () => {
    const steps = await told(true);
    const failures = steps.filter(([kind]) => kind === 'failure');
    expect(failures.map(([, key]) => key)).toEqual(['failedTransfer.end', 'wrongAmount.end', 'tooLate.end']);
    expect(failures[0]?.[2]).toContain('cannot pay the amount');
    expect(failures[1]?.[2]).toContain('does not take this payment');
    expect(failures[0]?.[3]).toContain('kann Betrag und Gebühr nicht zahlen');
    expect(failures[1]?.[3]).toBe('Der Markt nimmt diese Zahlung nicht: Sie ist nicht der vereinbarte Betrag.');
    expect(steps.find(([, key]) => key === 'buyer')?.[3]).toMatch(/Gebühr: 0,\d+ TAO/);
    expect(steps.map(([, key]) => key)).toContain('failedTransfer.again');
    expect(steps.map(([, key]) => key)).toContain('tooLate.repaid');
    expect(steps.at(-1)?.[1]).toBe('over');
    const sum = ['before', 'sold', 'unsold'].reduce((all, key) => all + (amountsOf(steps, key)[0] ?? 0n), 0n);
    const [back = 0n, fee = 0n] = amountsOf(steps, 'back');
    expect(amountsOf(steps, 'after')).toEqual([sum - back - fee]);
    expect(back * fee).toBeGreaterThan(0n);
  });
});
