import { ActionIcon, Button, Menu, SegmentedControl, TextInput, Tooltip } from '@mantine/core';
import { IconFileImport, IconLink, IconPlus, IconSearch, IconSortDescending } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { useAdding } from '../../../state/adding-model.ts';
import { useCatalogueView } from './catalogue-choice.ts';
import { type CatalogueView, SORTS, USES } from './catalogue-view.ts';

/** Search, what it is made for, the order, and the ways to models that the catalogue lacks. @param total of all models */
export function Toolbar({ total }: { total: number | undefined }) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const view = useCatalogueView();
  const set = (change: Partial<CatalogueView>) => useCatalogueView.setState(change);
  const all = total === undefined ? t('use.all') : `${t('use.all')} ${format.number(total)}`;
  return (
    <div className={classes.tools}>
      <TextInput
        className={classes.search}
        type="search"
        aria-label={t('filter.search')}
        placeholder={t('filter.searchHint')}
        leftSection={<IconSearch size={15} stroke={1.6} aria-hidden />}
        value={view.text}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      <SegmentedControl
        aria-label={t('filter.use')}
        data={[{ value: 'all', label: all }, ...USES.map((value) => ({ value, label: t(`use.${value}`) }))]}
        value={view.use}
        onChange={(use) => set({ use: use as CatalogueView['use'] })}
      />
      <span className={classes.space} />
      <SortMenu sort={view.sort} onSort={(sort) => set({ sort })} />
      <AddMenu />
    </div>
  );
}

function SortMenu({ sort, onSort }: { sort: CatalogueView['sort']; onSort: (sort: CatalogueView['sort']) => void }) {
  const { t } = useTranslation('models');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px={8}
          leftSection={<IconSortDescending size={15} stroke={1.6} aria-hidden />}
          aria-label={t('filter.sortNow', { sort: t(`sort.${sort}`) })}
        >
          {t(`sort.${sort}`)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={sort} onChange={(value) => onSort(value as CatalogueView['sort'])}>
          {SORTS.map((one) => (
            <Menu.RadioItem key={one} value={one}>
              {t(`sort.${one}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function AddMenu() {
  const { t } = useTranslation('models');
  const button = useRef<HTMLButtonElement>(null);
  const begin = useDialogFrom(button);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('add.open')}>
          <ActionIcon ref={button} variant="default" size={34} aria-label={t('add.open')}>
            <IconPlus size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFileImport size={16} stroke={1.6} />} onClick={() => begin('file')}>
          {t('import.open')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLink size={16} stroke={1.6} />} onClick={() => begin('address')}>
          {t('address.open')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Opens a dialog from a menu, which is gone when the dialog closes: its button gets the focus back. */
function useDialogFrom(button: RefObject<HTMLButtonElement | null>): (by: 'file' | 'address') => void {
  const { by } = useAdding();
  const began = useRef(false);
  useEffect(() => {
    if (by !== undefined || !began.current) return;
    began.current = false;
    button.current?.focus();
  }, [by, button]);
  return (next) => {
    began.current = true;
    useAdding.setState({ by: next });
  };
}
