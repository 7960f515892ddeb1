import { CompetitionGuards } from './competition-guards.ts';
import { CompetitionRounds } from './competition-rounds.ts';
import { CompetitionSubmissions } from './competition-submissions.ts';
import type { AskCompetition } from './competition-tables.ts';

/** What a competition keeps: see its rooms. Several servers may share a database; each sees its own. */
export class CompetitionStore {
  readonly rounds: CompetitionRounds;
  readonly submissions: CompetitionSubmissions;
  readonly guards: CompetitionGuards;

  /** @param server ss58 of the hotkey that serves it */
  constructor(ask: AskCompetition, server: string) {
    this.rounds = new CompetitionRounds(ask, server);
    this.submissions = new CompetitionSubmissions(ask, server);
    this.guards = new CompetitionGuards(ask, server);
  }
}
