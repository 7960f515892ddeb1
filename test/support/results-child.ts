import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { signedResult } from './results-contract.ts';

/**
 * A validator in a process of its own: opens the results, adds one of its own and one that all add, and closes. The one
 * called `endless` adds until it is told that there is no more room, the one called `telling` until it is killed: it says the number of each that is kept.
 */
const [dataDir = '', url = '', name = ''] = process.argv.slice(2);
const results = new ResultsDb({ dataDir, url: url || undefined });
await results.open();
if (name === 'endless') process.stdout.write(JSON.stringify(await fill()));
else if (name === 'telling') await tell();
else
  process.stdout.write(
    JSON.stringify([await results.add(signedResult({ challengeId: name })), await results.add(signedResult())]),
  );
await results.close();

async function tell(): Promise<void> {
  for (let number = 0; ; number++) {
    await results.add(signedResult({ challengeId: `${number}` }));
    process.stdout.write(`${number}\n`);
  }
}

async function fill(): Promise<{ code: string; kept: boolean }> {
  const payload = JSON.stringify('x'.repeat(10_000));
  for (let number = 0; ; number++) {
    try {
      await results.add(signedResult({ challengeId: `${number}`, payload }));
    } catch (error) {
      const [newest] = await results.page({ limit: 1 });
      return { code: QuarryError.from(error).code, kept: newest?.challengeId === `${number - 1}` };
    }
  }
}
