import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { FoundHubModel } from '../../../../src-preload/contract/hub.ts';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { licenceName } from '../model/licence-name.ts';
import { useParametersText } from '../model/memory-text.ts';
import { FitChip } from './FitChip.tsx';
import { halves } from './hub-view.ts';

interface HubTableProps {
  models: readonly FoundHubModel[];
  /** Id of the one whose details are beside the list. */
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** Repositories, in the order in which the server lists them. */
export function HubTable({ models, selected, onSelect }: HubTableProps) {
  const { t } = useTranslation('models');
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('place.search')}>
        <thead>
          <tr>
            <th scope="col">{t('column.name')}</th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('card.parameters')}
            </th>
            <th scope="col" className={classes.wide}>
              {t('column.licence')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('hub.updated')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('hub.downloads')}
            </th>
            <th scope="col" className={classes.num}>
              {t('hub.onThis')}
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <Row key={model.id} model={model} selected={model.id === selected} onSelect={() => onSelect(model.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  model: FoundHubModel;
  selected: boolean;
  onSelect: () => void;
}

function Row({ model, selected, onSelect }: RowProps) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const parametersText = useParametersText();
  const { id, parameters, downloads, updatedAt, licence, access, fit } = model;
  const { owner, name } = halves(id);
  const below = (
    <>
      {owner}
      <span className={classes.slim}>
        {parameters !== null && ` · ${parametersText(parameters)}`}
        {licence && ` · ${licenceName(licence)}`}
        {access !== 'open' && ` · ${t('hub.gated')}`}
      </span>
    </>
  );
  return (
    <PickRow
      name={name.replace(/[-_.]gguf$/i, '')}
      fit="line"
      wide
      below={below}
      selected={selected}
      onSelect={onSelect}
    >
      <td className={`num ${classes.num} ${classes.wide}`}>
        <span className={classes.when}>{parameters === null ? '–' : parametersText(parameters)}</span>
      </td>
      <td className={classes.wide}>
        {access === 'open' ? (
          licence && <StateChip state="idle">{licenceName(licence)}</StateChip>
        ) : (
          <StateChip state="pause" icon={IconLock}>
            {t('hub.gated')}
          </StateChip>
        )}
      </td>
      <td className={`num ${classes.num} ${classes.wide}`}>
        <span className={classes.when}>{updatedAt === null ? '–' : format.month(updatedAt)}</span>
      </td>
      <td className={`num ${classes.num} ${classes.wide}`}>{format.short(downloads)}</td>
      <td className={classes.num}>
        <FitChip fit={fit} />
      </td>
    </PickRow>
  );
}
