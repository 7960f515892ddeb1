import { Box, Button, Text } from '@mantine/core';
import { IconArrowUp, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { RunBar } from '../run/RunBar.tsx';
import type { LiveRun } from '../run/use-run.ts';
import classes from '../validator.module.css';
import { ChallengeFilter } from './ChallengeFilter.tsx';
import { ALL_CHALLENGES, chooseChallenges, useChallengeChoice } from './challenge-choice.ts';
import { filterNames } from './filter-names.ts';
import { newerThan } from './outcome.ts';
import { ResultInspector } from './ResultInspector.tsx';
import { ResultTable } from './ResultTable.tsx';
import { useResultPages } from './use-result-pages.ts';

/** What was asked and what came of it, the newest first, with everything about one of them. */
export function Challenges({ run }: { run: LiveRun }) {
  const { t } = useTranslation('validator');
  const { choice } = useChallengeChoice();
  const { data: samples = [] } = useAnswer(api.validator.stats.queryOptions({ input: { since: 0 } }));
  const [selected, setSelected] = useState<number>();
  const pages = useResultPages(choice);
  const { data, error } = pages;
  const isAll = Object.values(choice).every((one) => one === undefined);
  const results = data?.results ?? [];
  return (
    <ListAndDetails
      title={t('result.sheet')}
      rows={results}
      keyOf={({ id }) => id}
      selected={selected}
      onSelect={setSelected}
      details={(result) => <ResultInspector result={result} />}
    >
      {(shown, select) => (
        <>
          <RunBar run={run} primary={results.length > 0} />
          <ChallengeFilter choice={choice} {...filterNames(samples)}>
            <Newer run={run} pages={pages} isAll={isAll} />
          </ChallengeFilter>
          {error !== null && (
            <Box className={tableClasses.pad}>
              <ErrorNote error={error} onRetry={() => void pages.refetch()} />
            </Box>
          )}
          {!data && error === null && <TableSkeleton rows={8} />}
          {results.length > 0 && <ResultTable results={results} selected={shown} onSelect={select} />}
          {data && (
            <Box className={tableClasses.pad}>
              {results.length === 0 && pages.isFirst && !pages.older && <Nothing isAll={isAll} />}
              <PageButtons pages={pages} found={results.length} />
            </Box>
          )}
        </>
      )}
    </ListAndDetails>
  );
}

function Nothing({ isAll }: { isAll: boolean }) {
  const { t } = useTranslation('validator');
  return (
    <EmptyState title={t(isAll ? 'challenges.empty' : 'challenges.noMatch')}>
      <Text size="sm">{t(isAll ? 'challenges.emptyHint' : 'challenges.noMatchHint')}</Text>
      {isAll ? (
        <Button component="a" href="#/validator/try">
          {t('empty.try')}
        </Button>
      ) : (
        <Button variant="default" onClick={() => chooseChallenges(ALL_CHALLENGES)}>
          {t('filter.clear')}
        </Button>
      )}
    </EmptyState>
  );
}

type Pages = ReturnType<typeof useResultPages>;

/** The ways to older and newer ones; where a choice finds little, how far back was looked. */
function PageButtons({ pages, found }: { pages: Pages; found: number }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const { older, newer, lookedBackTo, isFetching } = pages;
  if (!older && !newer) return null;
  return (
    <>
      {found === 0 && lookedBackTo !== null && (
        <Text size="sm" ta="center" mb="xs" role="status">
          {t('challenges.lookedBack', { time: format.time(lookedBackTo) })}
        </Text>
      )}
      <nav className={classes.pager} aria-label={t('challenges.pages')}>
        <Button
          variant="default"
          leftSection={<IconChevronLeft size={15} stroke={1.6} aria-hidden />}
          disabled={!newer || isFetching}
          onClick={newer}
        >
          {t('challenges.newer')}
        </Button>
        <Button
          variant="default"
          rightSection={<IconChevronRight size={15} stroke={1.6} aria-hidden />}
          disabled={!older || isFetching}
          onClick={older}
        >
          {t('challenges.older')}
        </Button>
      </nav>
    </>
  );
}

/** Tells that there is something new, and shows it when it is wanted: rows do not move by themselves. */
function Newer({ run: { state }, pages, isAll }: { run: LiveRun; pages: Pages; isAll: boolean }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const ended = (state?.answered ?? 0) + (state?.failed ?? 0);
  const [seen, setSeen] = useState<number>();
  const { data, isFirst } = pages;
  const latest = state && ended;
  useEffect(() => setSeen(latest), [data, latest === undefined]);
  const count = newerThan(seen, ended);
  const word = isAll ? 'challenges.new' : 'challenges.look'; // how many of them match is not known
  return (
    <div className={classes.newer}>
      {count > 0 && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArrowUp size={15} stroke={1.6} aria-hidden />}
          onClick={() => void pages.newest()}
        >
          {t(isFirst ? word : 'challenges.newest', { formatted: format.number(count) })}
        </Button>
      )}
    </div>
  );
}
