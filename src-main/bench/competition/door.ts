import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAll } from '../../base/close-all.ts';
import { ROUTES } from '../../subnets/quasar/competition/routes.ts';
import { MOST_IN_ROUND } from '../../subnets/quasar/competition/wire.ts';
import { AskedProcess } from '../asked-process.ts';
import { newKeys } from '../bittensor-keys.ts';
import { HttpLoad, type LoadFigures } from '../http-load.ts';
import { type BenchEvent, benchRow } from '../row.ts';
import { type AskedRoute, Callers } from './callers.ts';
import type { BareAnswer, DoorAnswer, DoorOrder } from './door-process.ts';

const CASES: Record<AskedRoute, string> = {
  current: 'open route',
  submissions: 'signed question',
  commit: 'signed commitment',
};

interface Figures {
  ours: LoadFigures[];
  peer: LoadFigures[];
}

/** Requests a second that a competition answers, checks and database included, beside a bare Fastify that answers the same to anybody. */
export async function* benchDoor({ runs, requests }: { runs: number; requests: number }): AsyncGenerator<BenchEvent> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-competition-'));
  const [ours, bare] = [newDoor(), newDoor()];
  const load = new HttpLoad();
  try {
    ours.open();
    bare.open();
    const { port, server } = await ours.ask({ type: 'competition', folder }, 'open');
    const callers = new Callers(server, await newKeys(2 * requests));
    const peer = await bare.ask({ type: 'bare', answers: await answersOf(port, callers) }, 'open');
    for (const route of Object.keys(CASES) as AskedRoute[]) {
      const figures: Figures = { ours: [], peer: [] };
      const count = route === 'commit' ? Math.min(requests, roomForEach(runs)) : requests;
      // A first run of each is not counted: both compile as they go.
      for (let run = 0; run <= runs; run++) {
        const mine = await load.run(port, await callers.requests(route, count));
        const theirs = await load.run(peer.port, await callers.requests(route, count));
        if (run === 0) continue;
        figures.ours.push(mine);
        figures.peer.push(theirs);
      }
      yield* rows(route, figures);
    }
  } finally {
    load.close();
    await closeAll(
      () => ours.close(),
      () => bare.close(),
      () => rm(folder, { recursive: true, force: true }),
    );
  }
}

/** Commitments of one run: a round takes so many in all, one of which shows what is answered. */
const roomForEach = (runs: number) => Math.max(1, Math.floor((MOST_IN_ROUND - 1) / (runs + 1)));

const newDoor = () => new AskedProcess<DoorOrder, DoorAnswer>('bench/competition/door-process');

/** What the competition answers, which the bare server then says, too. */
async function answersOf(port: number, callers: Callers): Promise<BareAnswer[]> {
  const answers: BareAnswer[] = [];
  for (const route of Object.keys(CASES) as AskedRoute[]) {
    const [{ method, path, headers, body = null }] = (await callers.requests(route, 1)) as [BareRequest];
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
    answers.push({ method, path, status: response.status, text: await response.text() });
  }
  return answers;
}
type BareRequest = Awaited<ReturnType<Callers['requests']>>[number];

function* rows(route: AskedRoute, { ours, peer }: Figures): Generator<BenchEvent> {
  const name = `${CASES[route]}, ${ROUTES[route].at}`;
  const row = (more: { case: string; unit: string }, of: (each: LoadFigures) => number): BenchEvent => ({
    type: 'row',
    row: benchRow({
      ...{ bench: 'competition', goal: null, peerName: 'bare Fastify', ...more },
      ...{ ours: ours.map(of), peer: peer.map(of) },
    }),
  });
  yield row({ case: name, unit: 'requests/s' }, ({ perSecond }) => perSecond);
  yield row({ case: `${name}: wait of 99 in 100`, unit: 'ms (less is better)' }, ({ p99Ms }) => p99Ms);
}
