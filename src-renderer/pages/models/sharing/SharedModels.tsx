import { useTranslation } from 'react-i18next';
import type { LocalModel, Sharing } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import classes from '../../../components/page/table.module.css';
import { Section } from '../../../components/Section.tsx';
import { useTitles } from '../../../components/useTitles.ts';
import { useFormat } from '../../../i18n/format.ts';
import { SharedModelRow } from './SharedModelRow.tsx';

/** Which models of this computer others can fetch, a switch for each. */
export function SharedModels({ sharing }: { sharing: Sharing }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const { data: models = [] } = useAnswer(api.models.list.queryOptions());
  const shareable = models.filter(({ tiny }) => !tiny);
  const used = format.bytes(sharing.diskUsed);
  const room =
    sharing.diskLimit === null
      ? t('sharing.disk', { used })
      : t('sharing.diskOf', { used, limit: format.bytes(sharing.diskLimit) });
  return (
    <Section title={t('sharing.yours')} beside={shareable.length > 0 && <span className={classes.beside}>{room}</span>}>
      {shareable.length === 0 ? (
        <EmptyState title={t('sharing.nothing')}>{t('sharing.nothingHelp')}</EmptyState>
      ) : (
        <SharedTable models={shareable} sharing={sharing} />
      )}
    </Section>
  );
}

function SharedTable({ models, sharing }: { models: LocalModel[]; sharing: Sharing }) {
  const { t } = useTranslation('models');
  const titleOf = useTitles();
  return (
    <div className={`${classes.list} ${classes.bleed}`}>
      <table className={classes.table} aria-label={t('sharing.yours')}>
        <thead>
          <tr>
            <th scope="col">{t('column.name')}</th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('column.bytes')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('sharing.peers')}
            </th>
            <th scope="col" className={classes.num}>
              {t('sharing.uploaded')}
            </th>
            <th scope="col" className={classes.action}>
              {t('sharing.shared')}
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <SharedModelRow
              key={model.path}
              model={model}
              title={titleOf(model.name)}
              shared={sharing.models.find(({ sha256 }) => sha256 === model.sha256)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
