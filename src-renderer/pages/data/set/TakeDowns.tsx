import { Button, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TakeDown } from '../../../../src-preload/contract/data-set.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { tellError } from '../../../components/errors/tell-error.ts';
import { Pager } from '../../../components/page/Pager.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { usePages } from '../../../components/page/use-pages.ts';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { TakeDownDialog } from '../TakeDownDialog.tsx';
import { refreshTakeDowns } from '../use-data.ts';

const ON_A_PAGE = 20;

/** Videos whose clips go nowhere, each with why; put on the list and taken off it. */
export function TakeDowns() {
  const { t } = useTranslation('data');
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useAnswer(api.data.takeDowns.queryOptions());
  return (
    <Section
      title={t('takeDown.list')}
      description={t('takeDown.listMeans')}
      aside={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBan size={14} stroke={1.6} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setAdding(true)}
        >
          {t('takeDown.add')}
        </Button>
      }
    >
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data?.length === 0 && (
        <EmptyState title={t('takeDown.none')}>
          <Text size="sm">{t('takeDown.noneMeans')}</Text>
        </EmptyState>
      )}
      {data && data.length > 0 && <TakeDownTable takeDowns={data} />}
      {isAdding && <TakeDownDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}

function TakeDownTable({ takeDowns }: { takeDowns: TakeDown[] }) {
  const { t } = useTranslation('data');
  const { rows, page, pages, setPage } = usePages(takeDowns, ON_A_PAGE);
  return (
    <>
      <div className={`${tableClasses.list} ${tableClasses.bleed}`}>
        <table className={tableClasses.table} aria-label={t('takeDown.list')}>
          <thead>
            <tr>
              <th scope="col">{t('find.video')}</th>
              <th scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
                {t('jobs.clips')}
              </th>
              <th scope="col" aria-label={t('jobs.actions')} />
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <TakeDownRow key={`${one.source} ${one.id}`} of={one} />
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} pages={pages} setPage={setPage} label={t('takeDown.pages')} />
    </>
  );
}

function TakeDownRow({ of: { source, id, reason, at, clips } }: { of: TakeDown }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const undo = useMutation(
    api.data.undoTakeDown.mutationOptions({ onSuccess: refreshTakeDowns, onError: (error) => tellError(error) }),
  );
  return (
    <tr>
      <th scope="row">
        <span className={tableClasses.name}>{id}</span>
        <span className={tableClasses.sub}>
          {t(`source.${source}`)} · {format.time(at)} · {reason}
        </span>
      </th>
      <td className={`${tableClasses.num} ${tableClasses.wide}`}>{format.number(clips)}</td>
      <td className={tableClasses.num}>
        <Button
          size="xs"
          variant="default"
          aria-label={t('takeDown.undoOf', { id })}
          loading={undo.isPending}
          onClick={() => undo.mutate({ source, id })}
        >
          {t('takeDown.undo')}
        </Button>
      </td>
    </tr>
  );
}
