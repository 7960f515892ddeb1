import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { Section } from '../../../components/Section.tsx';
import { NoServer } from '../NoServer.tsx';
import { useBoard, useChosenRound, useCompetition, useCurrentRound, useRounds } from '../use-competition.ts';
import { Board } from './Board.tsx';
import { CurrentRound } from './CurrentRound.tsx';
import { PastRounds } from './PastRounds.tsx';

/** The round that is open, who was where in those before, and all of them. */
export function Rounds() {
  const { value: state, error } = useCompetition();
  if (error) return <PageBody children={<ErrorNote error={error} />} />;
  if (!state) return null;
  return state.server === null ? <NoServer /> : <RoundsOf server={state.server} />;
}

function RoundsOf({ server }: { server: string }) {
  const { t } = useTranslation('competitions');
  const current = useCurrentRound(server);
  const rounds = useRounds(server);
  const chosen = useChosenRound(({ round }) => round);
  const lastEnded = rounds.data?.rounds.find(({ state }) => state === 'ended')?.round;
  const shown = chosen ?? lastEnded;
  const board = useBoard(server, shown);
  const again = () => void Promise.all([current.refetch(), rounds.refetch()]);
  // What was seen before stays: a server that is away for a minute takes nothing off the screen.
  const nothingSeen = !current.data && current.error;
  if (nothingSeen) return <PageBody children={<ErrorNote error={nothingSeen} onRetry={again} />} />;
  return (
    <PageBody>
      <ErrorNote error={current.error} onRetry={again} />
      {current.data ? <CurrentRound current={current.data} /> : <Skeleton h={120} />}
      <Section
        title={shown === undefined ? t('board.title') : t('board.of', { round: shown })}
        description={t('board.means')}
      >
        <ErrorNote error={board.error} onRetry={() => void board.refetch()} />
        <Board board={board.data} hasEnded={lastEnded !== undefined} />
      </Section>
      <Section title={t('past.title')}>
        <ErrorNote error={rounds.error} onRetry={() => void rounds.refetch()} />
        <PastRounds rounds={rounds.data?.rounds ?? []} shown={shown} />
      </Section>
    </PageBody>
  );
}
