import { Group, NativeSelect, Switch, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { type CatalogueView, SORTS } from './catalogue-view.ts';

const USES = ['all', 'chat', 'code', 'embedding'] as const;
/** Tokens of context that people choose between. */
const CONTEXT_SIZES = [2_048, 4_096, 8_192, 16_384, 32_768, 131_072];

interface CatalogueFiltersProps {
  view: CatalogueView;
  onView: (view: CatalogueView) => void;
  /** Undefined is what the settings say. */
  contextSize: number | undefined;
  onContextSize: (tokens: number | undefined) => void;
}

/** Search, filters, order, and the context size that the fit is estimated for. */
export function CatalogueFilters({ view, onView, contextSize, onContextSize }: CatalogueFiltersProps) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const sizes = CONTEXT_SIZES.map((tokens) => ({
    value: String(tokens),
    label: t('filter.tokens', { tokens: format.number(tokens) }),
  }));
  return (
    <Group align="flex-end" gap="md">
      <TextInput
        type="search"
        label={t('filter.search')}
        placeholder={t('filter.searchHint')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={view.text}
        onChange={(event) => onView({ ...view, text: event.currentTarget.value })}
        w={{ base: '100%', xs: 240 }}
      />
      <NativeSelect
        label={t('filter.use')}
        data={USES.map((value) => ({ value, label: t(`use.${value}`) }))}
        value={view.use}
        onChange={(event) => onView({ ...view, use: event.currentTarget.value as CatalogueView['use'] })}
      />
      <NativeSelect
        label={t('filter.sort')}
        data={SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
        value={view.sort}
        onChange={(event) => onView({ ...view, sort: event.currentTarget.value as CatalogueView['sort'] })}
      />
      <NativeSelect
        label={t('filter.context')}
        title={t('filter.contextHelp')}
        data={[{ value: '', label: t('filter.contextAsSet') }, ...sizes]}
        value={contextSize ?? ''}
        onChange={(event) => onContextSize(event.currentTarget.value ? Number(event.currentTarget.value) : undefined)}
      />
      <Switch
        mb={8}
        label={t('filter.fitsHere')}
        checked={view.fitsHere}
        onChange={(event) => onView({ ...view, fitsHere: event.currentTarget.checked })}
      />
    </Group>
  );
}
