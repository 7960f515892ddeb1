import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { RequestProblem } from '../../bittensor/signed-requests/request-problem.ts';
import type { CompetitionPart, CompetitionPartState } from '../parts/competition/competition.ts';
import type { CompetitorPart } from '../parts/competition/competitor.ts';
import { trackView } from '../parts/competition/track-view.ts';
import type { Domain } from './implementer.ts';

/** The contract's `competition`: taking part in one (`competitor`), and the one that this node serves. */
export function competitionRoutes(
  { os, named }: Domain<'competition'>,
  { competitor, competition }: { competitor: CompetitorPart; competition: CompetitionPart },
) {
  return {
    watch: os.watch.handler(({ signal }) => named(competitor.watch(signal))),
    state: os.state.handler(() => competitor.state()),
    look: os.look.handler(({ signal }) => competitor.look(signal)),
    current: os.current.handler(({ input, signal }) => competitor.current(input, signal)),
    rounds: os.rounds.handler(({ input, signal }) => competitor.rounds(input, signal)),
    leaderboard: os.leaderboard.handler(({ input, signal }) => competitor.leaderboard(input, signal)),
    verify: os.verify.handler(({ input, signal }) => named(competitor.verify(input, signal))),
    artefact: os.artefact.handler(async ({ input, signal }) => ({
      content: (await competitor.artefact(input, signal)).toString('base64'),
    })),
    bring: os.bring.handler(async ({ input }) => ({
      next: await competitor.bring({ ...input, piece: Buffer.from(input.piece, 'base64') }),
    })),
    prepare: os.prepare.handler(({ input, signal }) => competitor.prepare(input, signal)),
    submit: os.submit.handler(({ input, signal }) => competitor.submit(input.id, signal)),
    reveal: os.reveal.handler(({ input, signal }) => competitor.reveal(input.id, signal)),
    forget: os.forget.handler(({ input }) => competitor.forget(input.id)),
    served: os.served.handler(async () => servedView(await competition.state())),
    bans: os.bans.handler(() => competition.competition().bans()),
    lift: os.lift.handler(async ({ input }) => ({ lifted: await competition.competition().lift(input.address) })),
    extend: os.extend.handler(({ input }) => told(competition.competition().extend(input.round, input.hours))),
    end: os.end.handler(({ input }) => told(competition.competition().end(input.round))),
  };
}

function servedView({ running, error }: CompetitionPartState) {
  if (!running) return { running: null, ...(error && { error }) };
  const { url, server, judging, banned, appeals, open } = running;
  const { round, endsAt, submissions } = open;
  const tracks = open.tracks.map(trackView);
  return { running: { url, server, round, endsAt, submissions, tracks, judging, banned, appeals } };
}

/** What a competition refuses is told as by every other part. */
async function told<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof RequestProblem)) throw error;
    throw new QuarryError({ code: 'BAD_REQUEST', message: error.message }, { cause: error });
  });
}
