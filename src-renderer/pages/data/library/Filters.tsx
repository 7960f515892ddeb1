import { CloseButton, NativeSelect, SegmentedControl, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DESCRIBERS, LICENCES, SOURCE_KINDS, USABLE_LICENCES } from '../../../../src-preload/contract/data-names.ts';
import { SearchField } from '../../../components/page/SearchField.tsx';
import tableClasses from '../../../components/page/table.module.css';
import classes from '../data.module.css';
import { type SearchBy, useLibraryView } from './library-view.ts';

const WAYS: readonly SearchBy[] = ['text', 'about'];

/** Which clips are shown. @param hasMeaning whether clips can be found by what they are about */
export function Filters({ hasMeaning }: { hasMeaning: boolean }) {
  const { t } = useTranslation('data');
  const { by, words, like, takenDown } = useLibraryView();
  return (
    <>
      <div className={tableClasses.tools}>
        <SegmentedControl
          aria-label={t('library.by.title')}
          value={by}
          onChange={(value) => useLibraryView.setState({ by: value as SearchBy, like: undefined })}
          data={WAYS.map((value) => ({
            ...{ value, label: t(`library.by.${value}`), disabled: value === 'about' && !hasMeaning },
          }))}
        />
        <SearchField
          label={t(`library.search.${by}`)}
          value={words}
          onChange={(typed) => useLibraryView.setState({ words: typed, like: undefined })}
        />
        <Choices />
        <Switch
          label={t('library.takenDown')}
          checked={takenDown}
          onChange={({ currentTarget }) => useLibraryView.setState({ takenDown: currentTarget.checked })}
        />
        {!hasMeaning && (
          <Text size="xs" c="var(--q-ink-2)">
            {t('library.noMeaning')}
          </Text>
        )}
      </div>
      {like && (
        <div className={classes.chosen} role="status">
          <span className={classes.whole}>{t('library.like', { title: like.title })}</span>
          <CloseButton
            size="sm"
            aria-label={t('library.noLike')}
            onClick={() => useLibraryView.setState({ like: undefined })}
          />
        </div>
      )}
    </>
  );
}

/** Narrow them down by what is known of each. */
function Choices() {
  const { t } = useTranslation('data');
  const { source, licence, describedBy } = useLibraryView();
  return (
    <>
      <NativeSelect
        className={classes.choice}
        aria-label={t('provenance.source')}
        data={[
          { value: '', label: t('library.allSources') },
          ...SOURCE_KINDS.map((value) => ({ value, label: t(`source.${value}`) })),
        ]}
        value={source ?? ''}
        onChange={({ currentTarget: { value } }) =>
          useLibraryView.setState({ source: SOURCE_KINDS.find((one) => one === value) })
        }
      />
      <NativeSelect
        className={classes.choice}
        aria-label={t('provenance.licence')}
        data={[
          { value: '', label: t('library.allLicences') },
          ...LICENCES.filter((one) => USABLE_LICENCES.includes(one)).map((value) => ({
            value,
            label: t(`licence.${value}`),
          })),
        ]}
        value={licence ?? ''}
        onChange={({ currentTarget: { value } }) =>
          useLibraryView.setState({ licence: LICENCES.find((one) => one === value) })
        }
      />
      <NativeSelect
        className={classes.choice}
        aria-label={t('describedBy.title')}
        data={[
          { value: '', label: t('describedBy.all') },
          ...DESCRIBERS.map((value) => ({ value, label: t(`describedBy.who.${value}`) })),
        ]}
        value={describedBy ?? ''}
        onChange={({ currentTarget: { value } }) =>
          useLibraryView.setState({ describedBy: DESCRIBERS.find((one) => one === value) })
        }
      />
    </>
  );
}
