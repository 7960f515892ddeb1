import { useTranslation } from 'react-i18next';
import type { DiffLine } from '../../../../src-preload/contract/optimiser.ts';
import classes from './optimiser.module.css';

const SIGNS = { same: ' ', gone: '−', new: '+', gap: '⋯' } as const;

/** Lines that are gone and new, with some of those around them; signs say it beside the colours. */
export function DiffView({ lines }: { lines: readonly DiffLine[] }) {
  const { t } = useTranslation('optimiser');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className={classes.diff} tabIndex={0} aria-label={t('diff.title')}>
      <pre className={classes.code}>
        {lines.map(({ kind, text }, place) => (
          <span key={place} className={classes.line} data-kind={kind}>
            <span aria-hidden>{SIGNS[kind]}</span> {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  );
}
