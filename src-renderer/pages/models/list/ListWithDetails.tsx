import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { ModelInspector } from '../details/ModelInspector.tsx';
import type { ModelRow } from '../model/model-rows.ts';
import { useSelected } from './catalogue-choice.ts';

interface ListWithDetailsProps {
  /** What may be selected. */
  rows: readonly ModelRow[];
  /** The list, told which row is selected and how another one is. */
  children: (selected: string | undefined, onSelect: (name: string) => void) => ReactNode;
}

/** A list of models with the details of the selected one. */
export function ListWithDetails({ rows, children }: ListWithDetailsProps) {
  const { t } = useTranslation('models');
  const { name } = useSelected();
  return (
    <ListAndDetails
      title={t('details')}
      rows={rows}
      keyOf={(row) => row.name}
      selected={name}
      onSelect={(next) => useSelected.setState({ name: next })}
      details={(row) => <ModelInspector row={row} />}
    >
      {children}
    </ListAndDetails>
  );
}
