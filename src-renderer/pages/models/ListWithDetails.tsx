import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Columns } from '../../components/page/Columns.tsx';
import { useSelected } from './catalogue-choice.ts';
import { ModelInspector } from './ModelInspector.tsx';
import type { ModelRow } from './model-rows.ts';
import classes from './table.module.css';

/** Where list and details have no room beside each other. */
const NARROW = '(max-width: 1020px)';
/** As the frame has it. */
const PHONE = '(max-width: 760px)';

interface ListWithDetailsProps {
  /** What may be selected. */
  rows: readonly ModelRow[];
  /** The list, told which row is selected and how another one is. */
  children: (selected: string | undefined, onSelect: (name: string) => void) => ReactNode;
}

/** A list of models with the details of one at its right; where there is no room they come as a sheet when a model is pressed. */
export function ListWithDetails({ rows, children }: ListWithDetailsProps) {
  const { t } = useTranslation('models');
  const { name } = useSelected();
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const chosen = rows.find((row) => row.name === name);
  // A sheet hides the list: it comes when a model is pressed, and not because one was once.
  const [sheet, setSheet] = useState(false);
  const select = (next: string) => {
    useSelected.setState({ name: next });
    setSheet(true);
  };
  if (isNarrow) {
    return (
      <>
        {children(undefined, select)}
        <Drawer
          opened={sheet && chosen !== undefined}
          onClose={() => setSheet(false)}
          title={t('details')}
          position={isPhone ? 'bottom' : 'right'}
          size={isPhone ? 'auto' : 340}
          classNames={{ content: classes.sheet, header: classes.sheetHead, body: classes.sheetBody }}
        >
          {chosen && <ModelInspector row={chosen} />}
        </Drawer>
      </>
    );
  }
  const shown = chosen ?? rows[0];
  return (
    <Columns widths="minmax(0, 1fr) 320px">
      <div>{children(shown?.name, select)}</div>
      {shown && <ModelInspector row={shown} />}
    </Columns>
  );
}
