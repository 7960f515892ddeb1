import { useTranslation } from 'react-i18next';

/** The kinds of entries that have a name on the screen, in the order of the legend. */
export const KNOWN_KINDS = ['earn', 'pay', 'release', 'standing', 'bonus', 'penalty', 'reserve', 'allowance'] as const;
type KnownKind = (typeof KNOWN_KINDS)[number];

export function isKnownKind(kind: string): kind is KnownKind {
  return KNOWN_KINDS.some((known) => known === kind);
}

/** The name of a kind; one of a newer version is called as main calls it. */
export function useKindName(): (kind: string) => string {
  const { t } = useTranslation('earnings');
  return (kind) => (isKnownKind(kind) ? t(`kind.${kind}.name`) : kind);
}
