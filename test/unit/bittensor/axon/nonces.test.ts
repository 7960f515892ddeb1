import { expect, it } from 'vitest';
import { NonceTable } from '../../../../src-main/bittensor/axon/nonces.ts';
import { MemoryMarks } from '../../../support/bittensor-axon.ts';

const START = 1_800_000_000_000;
const at = (ms: number) => BigInt(ms) * 1_000_000n;

it('nonces of now are taken while thousands of other hotkeys say some of in a moment', async () => {
  const table = await NonceTable.open(new MemoryMarks(), 'axon', START);
  let now = START + 60_000;
  let honest = 0;
  // 1,300 a second, each four seconds ahead: a table that forgot them would have to refuse all before them.
  for (let each = 0; each < 15_000; each++) {
    if (each % 13 === 0) now += 10;
    await table.take(`stranger ${each}`, 'one', at(now + 3_990), now);
    if (each % 1_300 === 0 && (await table.take('honest', 'one', at(now - 200), now))) honest++;
  }
  expect(honest).toBe(12);
  expect(table.size).toBeLessThan(20_000);
});

it('no hotkey that was forgotten is believed again, and there is an end to those who are remembered', async () => {
  const table = await NonceTable.open(new MemoryMarks(), 'axon', START);
  const now = START + 60_000;
  const taken = await Promise.all(
    Array.from({ length: 20_000 }, (_, each) => table.take(`stranger ${each}`, 'one', at(now + 3_990), now)),
  );
  expect(taken.filter(Boolean).length).toBeLessThan(17_000);
  const later = now + 60_000;
  await table.take('another', 'one', at(later), later);
  expect(table.isUsed('stranger 0', 'one', at(now + 3_990))).toBe(true);
});
