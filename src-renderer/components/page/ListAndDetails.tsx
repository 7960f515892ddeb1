import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useCallback, useState } from 'react';
import { Columns } from './Columns.tsx';
import classes from './table.module.css';
import { useEscape } from './use-escape.ts';

/** Where list and details have no room beside each other. */
const NARROW = '(max-width: 1020px)';
/** As the frame has it. */
const PHONE = '(max-width: 760px)';

interface ListAndDetailsProps<Row, Key> {
  /** Of the sheet that shows the details where there is no room beside the list. */
  title: string;
  /** What may be selected. */
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  /** Key of the row that was pressed; undefined before. */
  selected: Key | undefined;
  onSelect: (key: Key) => void;
  details: (row: Row) => ReactNode;
  /** The list, told which row has its details beside it and how another one is selected. */
  children: (shown: Key | undefined, onSelect: (key: Key) => void) => ReactNode;
}

/** A list with the details of one row at its right, at first of the first; where there is no room they come as a sheet when a row is pressed. */
export function ListAndDetails<Row, Key extends string | number>(props: ListAndDetailsProps<Row, Key>) {
  const { title, rows, keyOf, selected, onSelect, details, children } = props;
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const chosen = rows.find((row) => keyOf(row) === selected);
  // A sheet hides the list: it comes when a row is pressed, and not because one was once.
  const [sheet, setSheet] = useState(false);
  const isSheetOpen = isNarrow === true && sheet && chosen !== undefined;
  useEscape(isSheetOpen, () => setSheet(false));
  const select = useCallback(
    (key: Key) => {
      onSelect(key);
      setSheet(true);
    },
    [onSelect],
  );
  if (isNarrow) {
    return (
      <>
        {children(undefined, select)}
        <Drawer
          opened={isSheetOpen}
          onClose={() => setSheet(false)}
          closeOnEscape={false}
          title={title}
          position={isPhone ? 'bottom' : 'right'}
          size={isPhone ? 'auto' : 340}
          classNames={{ content: classes.sheet, header: classes.sheetHead, body: classes.sheetBody }}
        >
          {chosen && details(chosen)}
        </Drawer>
      </>
    );
  }
  const shown = chosen ?? rows[0];
  return (
    <Columns widths={shown ? 'minmax(0, 1fr) 320px' : 'minmax(0, 1fr)'}>
      <div>{children(shown && keyOf(shown), select)}</div>
      {shown && details(shown)}
    </Columns>
  );
}
