import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';

/** Models that workers in reach serve; any of them when none is chosen. */
export function ModelChoice({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (model: string | undefined) => void;
}) {
  const { t } = useTranslation('playground');
  const { data } = useAnswer({ ...api.mesh.peers.queryOptions({ input: {} }), refetchInterval: 10_000 });
  const served = new Set(data?.peers.filter(({ ready }) => ready).flatMap(({ models }) => models));
  if (value) served.add(value);
  return (
    <Select
      aria-label={t('model.label')}
      placeholder={t('model.any')}
      data={[...served].sort()}
      value={value ?? null}
      onChange={(model) => onChange(model ?? undefined)}
      clearable
      searchable
      w={260}
    />
  );
}
