import { useTranslation } from 'react-i18next';
import classes from './small-parts.module.css';

const HEXAGON = 'M12 2 20.7 7v10L12 22 3.3 17V7z';

interface TierProps {
  /** As the contract names it: `newcomer` to `master`. */
  tier: string;
  /** Pixels of the hexagon. Default 18. */
  size?: number;
}

/** A tier: its hexagon and its name, in its colour. */
export function Tier({ tier, size = 18 }: TierProps) {
  const { t } = useTranslation();
  return (
    <span className={classes.tier} style={{ color: `var(--q-${tier})` }}>
      <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
        <path d={HEXAGON} fill="currentColor" opacity={0.18} />
        <path d={HEXAGON} fill="none" stroke="currentColor" strokeWidth={1.6} strokeLinejoin="round" />
        <path d="m12 8 3.5 2v4L12 16l-3.5-2v-4z" fill="currentColor" />
      </svg>
      {t(`tier.${tier}`, { defaultValue: tier })}
    </span>
  );
}
