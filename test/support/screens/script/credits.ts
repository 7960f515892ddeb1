import { setTimeout as sleep } from 'node:timers/promises';
import * as data from '../sample-data.ts';
import type { Script, ScriptedData, ScriptedOs } from './answers.ts';
import { every } from './answers.ts';

/** The contract's `credits` out of a script: the ledger and what is made of it. */
export function script(os: ScriptedOs['credits'], answers: ScriptedData): Script<'credits'> {
  return {
    summary: os.summary.handler(() => answers.summary),
    entries: os.entries.handler(({ input: { kinds, from = 0, to = Number.MAX_SAFE_INTEGER, limit, before } }) =>
      answers.entries
        .filter(({ kind, seq }) => (before === undefined || seq < before) && (!kinds || kinds.includes(kind)))
        .filter(({ at }) => at >= from && at < to)
        .slice(0, limit),
    ),
    kinds: os.kinds.handler(() => ['earn', 'pay', 'release', 'standing', 'bonus', 'penalty', 'allowance']),
    csv: os.csv.handler(async function* () {
      yield 'number,time,kind,request,credits,points,happened\n';
      for (const { seq, at, kind, requestId, amount, points, happened } of answers.entries.toReversed()) {
        await sleep(10);
        yield `${[seq, new Date(at).toISOString(), kind, requestId, amount, points, happened].join()}\n`;
      }
    }),
    days: os.days.handler(({ input }) => answers.days.slice(-input.days)),
    sources: os.sources.handler(() => ({
      speed: 380,
      complexity: 170,
      quality: 140,
      bonuses: 60,
      penalties: -8,
      uncounted: { pairCap: 21, tooOld: 0 },
    })),
    byModel: os.byModel.handler(() => ({
      answers: 128,
      since: data.NOW - 86_400_000,
      models: [
        {
          ...{ name: 'qwen2.5-7b-instruct-q4_k_m', answers: 120, tokens: 36_000, tokensPerSecond: 41.2 },
          ...{ points: 702, pointsPerHour: 7.6, lastAt: data.NOW },
        },
        {
          ...{ name: 'qwen2.5-1.5b-instruct-q4_k_m', answers: 8, tokens: 2_412, tokensPerSecond: 117.5 },
          ...{ points: 40, pointsPerHour: null, lastAt: data.NOW - 80_000_000 },
        },
      ],
    })),
    today: os.today.handler(() => answers.today),
    forecasts: os.forecasts.handler(() => answers.forecasts),
    trusted: os.trusted.handler(({ input: { limit, offset } }) => ({
      peers: data.trusted.slice(offset, offset + limit),
      total: data.trusted.length,
      owed: data.trusted.reduce((sum, { owed }) => sum + owed, 0),
    })),
    debtors: os.debtors.handler(({ input: { limit, offset } }) => ({
      peers: answers.debtors.slice(offset, offset + limit),
      total: answers.debtors.length,
      owes: answers.debtors.reduce((sum, { owes }) => sum + owes, 0),
      inReach: answers.debtors.reduce((sum, { owes, inReach }) => sum + (inReach ? owes : 0), 0),
    })),
    served: os.served.handler(({ input }) => answers.served.slice(0, input.limit)),
    watch: os.watch.handler(({ signal }) =>
      every(
        () => 5_000,
        () => ({ seq: 400 }),
        signal,
      ),
    ),
    verify: os.verify.handler(() => answers.ledgerReport),
    check: os.check.handler(() => answers.ledgerCheck),
    rebuild: os.rebuild.handler(() => {
      answers.ledgerReport = data.ledgerReport;
      return answers.ledgerReport;
    }),
  };
}
