import { IconDownload, IconSend } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Submission } from '../../../../src-preload/contract/data.ts';
import { shortAddress } from '../../../components/chain/short-address.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useWorth } from '../use-worth.ts';

interface SubmissionTableProps {
  submissions: readonly Submission[];
  /** Its number. */
  selected: number | undefined;
  onSelect: (number: number) => void;
}

/** Submissions, each by its topic and by whom it is exchanged with. */
export function SubmissionTable({ submissions, selected, onSelect }: SubmissionTableProps) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const write = useWorth();
  return (
    <div className={tableClasses.list}>
      <table className={tableClasses.table} aria-label={t('place.submissions')}>
        <thead>
          <tr>
            <th scope="col">{t('order.topic')}</th>
            <th scope="col">{t('submission.role')}</th>
            <th scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
              {t('jobs.clips')}
            </th>
            <th scope="col" className={tableClasses.num}>
              {t('submission.score')}
            </th>
          </tr>
        </thead>
        <tbody>
          {submissions.map(({ number, topic, kind, role, at, with: partner, clips, score }) => (
            <PickRow
              key={number}
              name={topic}
              below={`${format.time(at)} · ${shortAddress(partner)} · ${t(`submission.kind.${kind}`)}`}
              selected={number === selected}
              onSelect={() => onSelect(number)}
              wide
            >
              <td>
                <StateChip state={role === 'sent' ? 'wait' : 'idle'} icon={role === 'sent' ? IconSend : IconDownload}>
                  {t(`submission.${role}`)}
                </StateChip>
              </td>
              <td className={`${tableClasses.num} ${tableClasses.wide}`}>{format.number(clips.length)}</td>
              <td className={tableClasses.num}>{write(score)}</td>
            </PickRow>
          ))}
        </tbody>
      </table>
    </div>
  );
}
