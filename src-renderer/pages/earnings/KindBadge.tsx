import { Badge, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isKnownKind, KIND_COLOURS } from './kinds.ts';

/** The name of an entry's kind; what it means on hover. A kind of a newer version shows as main calls it. */
export function KindBadge({ kind }: { kind: string }) {
  const { t } = useTranslation('earnings');
  if (!isKnownKind(kind))
    return (
      <Badge variant="light" miw="max-content">
        {kind}
      </Badge>
    );
  return (
    <Tooltip label={t(`kind.${kind}.meaning`)} multiline maw={280}>
      <Badge variant="light" miw="max-content" color={KIND_COLOURS[kind]}>
        {t(`kind.${kind}.name`)}
      </Badge>
    </Tooltip>
  );
}
