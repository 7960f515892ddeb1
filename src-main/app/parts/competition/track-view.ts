import type { OpenRound } from '../../../../src-preload/contract/competition.ts';
import { sentenceOf } from '../../../subnets/quasar/competition/client/entry-view.ts';
import { closedWords } from '../../../subnets/quasar/competition/rules/tracks.ts';
import type { CurrentRound } from '../../../subnets/quasar/competition/wire.ts';

/** A track as screens and commands show it. */
export const trackView = ({ track, closed }: CurrentRound['tracks'][number]): OpenRound['tracks'][number] => ({
  ...{ track, closed: closed && sentenceOf(closedWords(closed)) },
});
