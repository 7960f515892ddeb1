import { Box, Button, Checkbox, Text } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { PickRow } from '../../../components/page/PickRow.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { MOST_COMPARED } from '../compare/compared.ts';
import { STATE_LOOKS } from '../state-looks.ts';
import { useChosen, useEvaluations } from '../use-evaluations.ts';
import { useWords } from '../use-words.ts';
import { EvaluationInspector } from './EvaluationInspector.tsx';

/** All evaluations, the newest first, with all about one of them; some of them can be compared. */
export function History() {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const [selected, setSelected] = useState<string>();
  const compared = useChosen((chosen) => chosen.compared);
  const { pages, all = [] } = useEvaluations();
  return (
    <ListAndDetails
      title={t('title')}
      rows={all}
      keyOf={({ id }) => id}
      selected={selected}
      onSelect={setSelected}
      details={(one) => <EvaluationInspector key={one.id} evaluation={one} />}
    >
      {(shown, select) => (
        <>
          {all.length > 1 && (
            <div className={classes.tools}>
              <span className={classes.beside} role="status">
                {compared.length < 2
                  ? t('history.chooseTwo')
                  : t('history.chosen', { formatted: format.number(compared.length) })}
              </span>
              <span className={classes.space} />
              <Button
                variant="default"
                leftSection={<IconArrowsLeftRight size={15} stroke={1.6} aria-hidden />}
                disabled={compared.length < 2}
                onClick={() => {
                  location.hash = '/evaluation/compare';
                }}
              >
                {t('history.compare')}
              </Button>
            </div>
          )}
          {pages.error !== null && (
            <Box className={classes.pad}>
              <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />
            </Box>
          )}
          {!pages.data && pages.error === null && <TableSkeleton rows={6} />}
          {all.length > 0 && <EvaluationTable all={all} compared={compared} selected={shown} onSelect={select} />}
          <Box className={classes.pad}>
            {pages.data && all.length === 0 && (
              <EmptyState title={t('empty.title')}>
                <Text size="sm">{t('empty.how')}</Text>
                <Button component="a" href="#/evaluation/new" variant="default">
                  {t('new.title')}
                </Button>
              </EmptyState>
            )}
            {pages.hasNextPage && (
              <ShownSoFar pages={pages}>{t('history.shown', { formatted: format.number(all.length) })}</ShownSoFar>
            )}
          </Box>
        </>
      )}
    </ListAndDetails>
  );
}

interface EvaluationTableProps {
  all: readonly EvaluationView[];
  /** Ids. */
  compared: readonly string[];
  selected: string | undefined;
  onSelect: (id: string) => void;
}

function EvaluationTable({ all, compared, selected, onSelect }: EvaluationTableProps) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const toggle = (id: string) =>
    useChosen.setState({ compared: compared.includes(id) ? compared.filter((one) => one !== id) : [...compared, id] });
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('place.history')}>
        <thead>
          <tr>
            <th scope="col">{t('history.compareShort')}</th>
            <th scope="col">{t('asked.model')}</th>
            <th scope="col" className={classes.wide}>
              {t('asked.suites')}
            </th>
            <th scope="col" className={classes.wide}>
              {t('asked.lengths')}
            </th>
            <th scope="col">{t('history.state')}</th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => {
            const { state, icon } = STATE_LOOKS[one.state];
            const lengths = one.plan.lengths.toSorted((a, b) => a - b);
            const span = [...new Set([lengths[0], lengths.at(-1)])].map((length) => words.length(length ?? 0));
            return (
              <PickRow
                key={one.id}
                name={words.model(one)}
                below={format.time(one.createdAt)}
                selected={one.id === selected}
                onSelect={() => onSelect(one.id)}
                before={
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keys; a click beside it is not meant for the row
                  <td onClick={(event) => event.stopPropagation()}>
                    <Checkbox
                      aria-label={t('history.compareThis', { name: words.named(one) })}
                      checked={compared.includes(one.id)}
                      disabled={!compared.includes(one.id) && compared.length >= MOST_COMPARED}
                      onChange={() => toggle(one.id)}
                    />
                  </td>
                }
              >
                <td className={classes.wide}>
                  {words.suite(one.plan.suites[0] ?? '')}
                  {one.plan.suites.length > 1 && ` +${format.number(one.plan.suites.length - 1)}`}
                </td>
                <td className={classes.wide}>{span.join('–')}</td>
                <td>
                  <StateChip state={state} icon={icon}>
                    {t(`state.${one.state}`)}
                  </StateChip>
                </td>
              </PickRow>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
